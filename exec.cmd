@rem For the npm scripts on Windows: cmd.exe has no "exec", so this file runs the rest of the line.
@%*
