export function replayKey() { return false; }
export function openReplay() {}
