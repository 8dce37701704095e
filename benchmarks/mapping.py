from hashlib import sha256


def is_development(query: str) -> bool:
    """Whether a query belongs to the half that weights may be fitted on."""
    return sha256(query.encode("utf-8")).digest()[0] % 2 == 0
