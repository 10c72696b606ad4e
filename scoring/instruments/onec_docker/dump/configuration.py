"""The whole dump: the configuration's own file, its objects, its modules, the start handler."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.instruments.onec_docker.dump.objects import MAKERS, Made, common_module, language
from scoring.instruments.onec_docker.dump.xml import document, element, head, identity

# The classes that every configuration contains, by the platform's own identifiers.
_CONTAINED = (
    "9cd510cd-abfc-11d4-9434-004095e12fc7", "9fcd25a0-4822-11d4-9414-008048da11f9", "e3687481-0a87-462c-a166-9f34594f9bba",
    "9de14907-ec23-4a07-96f0-85521cb6b53b", "51f2d5d8-ea4d-4064-8892-82951750031e", "e68182ea-4237-4383-967f-90c1e3370bc7",
    "fb282519-d103-4dd3-bc12-cb271d631dfc",
)  # fmt: skip
COMPATIBILITY = "Version8_3_24"
START_MODULE = "Ext/ManagedApplicationModule.bsl"


def assemble(specification: Mapping[str, Any], modules: Mapping[str, tuple[bool, str]], start: str) -> dict[str, str]:
    """Path → text of every file. ``modules``: name → (callable from the client, text); ``start``: the application's module.

    Raises ``ValueError`` for a specification that no configuration can hold.
    """
    objects = [language(), *(common_module(name, server_call=call) for name, (call, _) in modules.items())]
    for section, make in MAKERS.items():
        objects += [make(str(name), data or {}, specification) for name, data in (specification.get(section) or {}).items()]
    files = {"Configuration.xml": document(_configuration(objects)), START_MODULE: "\ufeff" + start}
    files |= {f"{made.folder}/{made.name}.xml": document(made.xml) for made in objects}
    files |= {f"{made.folder}/{made.name}/Ext/Predefined.xml": made.predefined for made in objects if made.predefined}
    files |= {f"CommonModules/{name}/Ext/Module.bsl": "\ufeff" + text for name, (_, text) in modules.items()}
    return files


def write_dump(files: Mapping[str, str], folder: Path) -> None:
    """Write the files below ``folder``. A module keeps its lines: LF, as the answer has them."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))


def _configuration(objects: list[Made]) -> str:
    contained = [
        element("xr:ContainedObject", [element("xr:ClassId", one), element("xr:ObjectId", identity("contained", one))])
        for one in _CONTAINED
    ]
    purpose = element("v8:Value", "PlatformApplication", xsi__type="app:ApplicationUsePurpose")
    properties = [
        *head("PRISM"),
        element("NamePrefix"),
        element("ConfigurationExtensionCompatibilityMode", COMPATIBILITY),
        element("DefaultRunMode", "ManagedApplication"),
        element("UsePurposes", [purpose]),
        element("ScriptVariant", "Russian"),
        element("DefaultRoles"),
        element("Vendor"),
        element("Version"),
        element("DefaultLanguage", "Language.Русский"),
        element("DataLockControlMode", "Managed"),
        element("ObjectAutonumerationMode", "NotAutoFree"),
        element("ModalityUseMode", "DontUse"),
        element("SynchronousPlatformExtensionAndAddInCallUseMode", "DontUse"),
        element("InterfaceCompatibilityMode", "Taxi"),
        element("CompatibilityMode", COMPATIBILITY),
    ]
    children = [element(made.tag, made.name) for made in objects]
    parts = [element("InternalInfo", contained), element("Properties", properties), element("ChildObjects", children)]
    return element("Configuration", parts, uuid=identity("configuration"))
