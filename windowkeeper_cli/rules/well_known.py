"""Names too common to point at anything: data, read by identifier extraction."""

from __future__ import annotations

_NAMES = """
    /dev/null /dev/stdin /dev/stdout /dev/stderr /tmp /usr/bin /usr/local /usr/local/bin /bin/bash /bin/sh
    /usr/bin/env /etc /var /home /root /opt usr/bin usr/local bin/bash bin/sh dev/null
    localhost localhost:3000 localhost:8000 localhost:8080 127.0.0.1 0.0.0.0 ::1
    example.com example.org example.net www.example.com http://localhost https://example.com http://example.com
    github.com google.com node_modules node_modules/.bin site-packages dist-packages __pycache__ __init__ __main__
    __name__ __file__ __dict__ __init__.py and/or either/or true/false yes/no on/off input/output read/write
    client/server he/she his/her i/o n/a w/o tcp/ip ci/cd pass/fail null/undefined application/json text/plain
    text/html text/markdown utf-8 UTF-8 utf_8 iso-8859-1 e.g e.g. i.e i.e. etc. vs. a.m p.m U.S
    JavaScript TypeScript GitHub GitLab PostgreSQL MySQL SQLite NoSQL OpenAI MacOS macOS iOS iPhone iPad YouTube
    LinkedIn DevOps WebSocket WebSockets GraphQL OpenAPI JSONL NumPy PyTorch TensorFlow FastAPI Node.js node.js
    Next.js Vue.js React.js Express.js ASP.NET VSCode VsCode DataFrame ValueError TypeError KeyError IndexError
    RuntimeError AttributeError ImportError ModuleNotFoundError FileNotFoundError AssertionError NotImplementedError
    SyntaxError ReferenceError RangeError StopIteration KeyboardInterrupt OSError IOError Exception
    toString valueOf hasOwnProperty useState useEffect setTimeout setInterval addEventListener querySelector
    readFile writeFile console.log process.env sys.path sys.argv os.path os.environ str.format
    README.md readme.md package.json tsconfig.json pyproject.toml Cargo.toml go.mod Makefile .gitignore .env
"""
WELL_KNOWN = frozenset(_NAMES.split())
