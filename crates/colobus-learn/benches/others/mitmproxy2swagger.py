"""The operations that mitmproxy2swagger learns from a HAR file, a line each. It is run twice, as its documentation says: the first
time it proposes templates of paths; a user who keeps them all removes `ignore:`, and runs it again."""

import pathlib
import subprocess
import sys
import tempfile

import ruamel.yaml

capture = sys.argv[1]
program = pathlib.Path(sys.executable).parent / "mitmproxy2swagger"
with tempfile.TemporaryDirectory() as folder:
    output = pathlib.Path(folder) / "openapi.yaml"
    command = [program, "-i", capture, "-o", output, "-p", "http://127.0.0.1:8000", "-f", "har"]
    for _ in range(2):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        output.write_text(output.read_text().replace("ignore:", ""))
    paths = ruamel.yaml.YAML(typ="safe").load(output)["paths"]
for path, operations in paths.items():
    for method in operations:
        if method in ("get", "put", "post", "delete", "patch"):
            print(method.upper(), path.split("?")[0])
