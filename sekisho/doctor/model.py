"""Who answers: is the program, the package and the key there, and with leave to ask, is the provider?"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

from sekisho.agents.backends import check_backend
from sekisho.agents.prompts import prompt_params
from sekisho.agents.providers import Provider, find_provider, shown_url
from sekisho.agents.secrets import scrub
from sekisho.alerts import channels_of
from sekisho.doctor.diagnosis import Check, Diagnosis, of_error, ok, warn, wrong
from sekisho.errors import SettingsError
from sekisho.settings import Settings

_PROGRAM_TIMEOUT = 20.0  # seconds
_REQUEST_TIMEOUT = 20.0
_WITHOUT_A_MODEL = {
    "mock": "answers from fixtures: no key, no model",
    "local": "copies from the documents: no key, no model",
}
# Where a provider's own client knows the address.
_ADDRESSES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}


def model_checks(settings: Settings, *, online: bool) -> list[tuple[str, Check]]:
    """Whether the chosen agent could be asked; no request is made without `online`, and none that costs anything."""
    return [("agent", lambda: _agent(settings, online))]


def alert_checks(settings: Settings) -> list[tuple[str, Check]]:
    """Whether every URL that alerts are sent to is one; nothing is sent."""
    return [("channels", lambda: _channels(settings))]


def _agent(settings: Settings, online: bool) -> Iterator[Diagnosis]:
    check_backend(settings)
    if settings.agent in _WITHOUT_A_MODEL:
        yield ok("model", settings.agent, _WITHOUT_A_MODEL[settings.agent])
    elif settings.agent == "claude":
        yield _program()
    elif settings.agent == "live":
        params = prompt_params(settings.prompts)
        for string in sorted({str(given["model"]) for given in params.values() if "model" in given}):
            yield from _provider(string, online, needed=False)
    else:
        yield from _provider(settings.agent, online, needed=True)


def _program() -> Diagnosis:
    """Whether `claude --version` answers; that asks no model."""
    program = shutil.which("claude") or "claude"
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=_PROGRAM_TIMEOUT)
    except (OSError, subprocess.TimeoutExpired) as error:
        return wrong("model", "claude", f"`claude --version` does not answer: {error}", "install it anew")
    if done.returncode != 0:
        told = f"`claude --version` ended with {done.returncode}: {scrub(done.stderr.strip())[:200]}"
        return wrong("model", "claude", told, "start `claude` once by hand, or install it anew")
    return ok("model", "claude", f"the program answers: {scrub(done.stdout.strip())[:80]}")


def _provider(string: str, online: bool, *, needed: bool) -> Iterator[Diagnosis]:
    provider, model = find_provider(string)
    try:
        provider.check()
    except SettingsError as error:
        found = of_error("model", string, error)
        yield found if needed else warn("model", string, found.told, found.remedy)
        return
    if online:
        yield _asked(provider, model, string)
    else:
        key = f"{provider.credential[0]} is set" if provider.keys else "no key is needed"
        yield ok("model", string, f"package and address are there, {key}; not asked (--online asks, at no cost)")


def _asked(provider: Provider, model: str, string: str) -> Diagnosis:
    """The provider's list of models: a request that generates nothing, so nothing is billed."""
    address = provider.base_url or _ADDRESSES.get(provider.name, "")
    if provider.wire == "own" or not address:
        return warn("model", string, "its list of models is not one that is known here", "sekisho run --dry-run")
    import httpx2

    url = address.rstrip("/") + ("/v1/models" if provider.wire == "messages" else "/models")
    try:
        response = httpx2.get(url, headers=_headers(provider), timeout=_REQUEST_TIMEOUT)
    except httpx2.HTTPError as error:
        told = scrub(f"{shown_url(url)} does not answer: {type(error).__name__}: {error}")
        return wrong("model", string, told, f"check the network and {provider.url_variable or 'the address'}")
    if response.status_code in (401, 403):
        told = f"{provider.name} refuses the key (HTTP {response.status_code})"
        return wrong("model", string, told, f"set {provider.credential[0] or 'the key'} to a key that is valid")
    if response.status_code != 200:
        told = f"{shown_url(url)} answers with HTTP {response.status_code}"
        return warn("model", string, told, "it may have no list of models: sekisho ask tries the model itself")
    names = _names(response)
    if names and model not in names:
        return warn("model", string, f"{provider.name} lists no model {model!r}", "choose one that it has")
    return ok("model", string, f"{provider.name} answers, and takes the key")


def _headers(provider: Provider) -> dict[str, str]:
    variable, key = provider.credential
    if provider.wire != "messages":
        return {"Authorization": f"Bearer {key or 'none'}"}
    own = {"Authorization": f"Bearer {key}"} if variable.endswith("AUTH_TOKEN") else {"x-api-key": key}
    return {**own, "anthropic-version": "2023-06-01"}


def _names(response: Any) -> set[str]:
    """The ids in a list of models; none where it has another shape."""
    try:
        return {str(one["id"]) for one in response.json()["data"]}
    except (ValueError, KeyError, TypeError):
        return set()


def _channels(settings: Settings) -> Iterator[Diagnosis]:
    found = channels_of(settings.alert_urls.get_secret_value())
    told = ", ".join(channel.name for channel in found) or "nobody is told (SEKISHO_ALERT_URLS is not set)"
    yield ok("alerts", "channels", told)
