"""Where pupils reach this machine: its addresses, their QR code, and a certificate made on the spot."""

from __future__ import annotations

import datetime
import io
import ipaddress
import os
import socket
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from contienda.core.language import BadInput

__all__ = ["make_certificate", "own_addresses", "qr_svg", "qr_text", "refuse_without_https"]

#: An address for documentation (RFC 5737). Connecting a datagram socket to it sends nothing: it only picks the network.
_ELSEWHERE = ("192.0.2.1", 9)
_DAYS = 30


def own_addresses(host: str) -> list[str]:
    """Return the addresses of this machine that others on its network can use, the likeliest first."""
    if host not in ("0.0.0.0", "::", ""):
        return [host]
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        way_out.connect(_ELSEWHERE)
        found.append(way_out.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    there = [each for each in dict.fromkeys(found) if not ipaddress.ip_address(each).is_loopback]
    return there or ["127.0.0.1"]


def qr_text(url: str) -> str | None:
    """Return a QR code for the terminal; None without the extra ``class``."""
    try:
        import segno
    except ImportError:
        return None
    out = io.StringIO()
    segno.make(url, error="m").terminal(out, compact=True, border=2)
    return out.getvalue()


def qr_svg(url: str) -> bytes | None:
    """Return a QR code as SVG; None without the extra ``class``."""
    try:
        import segno
    except ImportError:
        return None
    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", scale=8, border=3, light="white")
    return out.getvalue()


def refuse_without_https() -> None:
    """Raise `BadInput` if no certificate can be made here."""
    if find_spec("cryptography") is None:
        raise BadInput("HTTPS needs the extra class: pip install 'contienda[class]'")


def make_certificate(folder: Path, addresses: list[str]) -> tuple[Path, Path]:
    """Write a self-signed certificate and its key; return both files.

    Browsers warn about it, but still encrypt the connection. The extra must be there (`refuse_without_https`).
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Contienda")])
    now = datetime.datetime.now(datetime.UTC)
    named: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.DNSName(socket.gethostname())]
    named += [x509.IPAddress(ipaddress.ip_address(each)) for each in {*addresses, "127.0.0.1"} if _is_address(each)]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName(named), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True)
    certificate_file, key_file = folder / "class-certificate.pem", folder / "class-key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.unlink(missing_ok=True)
    with os.fdopen(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
    return certificate_file, key_file


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
