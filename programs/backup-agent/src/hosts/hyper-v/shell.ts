import { type CommandResult, runBounded } from '../run-bounded.ts'

/** Runs one fixed script, with what it is to do on its standard input. Tests put a recorded one in the place of Windows. */
export interface Shell {
  /** @param script never contains anything that came from outside */
  run(script: string, input: string, signal?: AbortSignal): Promise<CommandResult>
}

const timeoutMs = 120_000

/** Windows PowerShell, which the Hyper-V module belongs to. */
export const powerShell: Shell = {
  run(script, input, signal) {
    // UTF-16 in base64, as the parameter wants it; so no quoting of the command line is involved either.
    const encoded = Buffer.from(script, 'utf16le').toString('base64')
    const parameters = ['-NoProfile', '-NonInteractive', '-OutputFormat', 'Text', '-EncodedCommand', encoded]
    return runBounded('powershell.exe', parameters, { timeoutMs, input, signal })
  },
}
