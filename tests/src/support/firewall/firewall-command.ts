import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Program, palisade } from '../programs/program.ts'
import { newFolder, provisioned, type Server } from '../programs/server.ts'
import { Terminal } from '../programs/terminal.ts'

/** Runs `palisade firewall …`. */
export interface FirewallCommand {
  /** What a command prints that has to end well. */
  done(...words: string[]): Promise<string>
  /** What a command prints and says that has to fail. */
  refused(...words: string[]): Promise<string>
  /** One that goes on until it is stopped. */
  follow(...words: string[]): Program
  /** One at a terminal, whose questions can be answered. */
  typed(...words: string[]): Terminal
}

/** `palisade firewall …` as the administrator of the provisioned configuration. */
export function firewallCommandOf(server: Server): FirewallCommand {
  const [administrator] = provisioned.firewall.administrators
  const passwordFile = join(newFolder(), 'password')
  writeFileSync(passwordFile, `${administrator?.password}\n`, { mode: 0o600 })
  const environment = {
    PALISADE_SERVER: server.firewall,
    PALISADE_FIREWALL_USERNAME: administrator?.username ?? '',
    PALISADE_FIREWALL_PASSWORD_FILE: passwordFile,
  }
  const start = (words: readonly string[]) => new Program(['firewall', ...words], environment)
  const run = async (isDone: boolean, words: readonly string[]) => {
    const program = start(words)
    const { status } = await program.ended()
    assert.equal(status === 0, isDone, `${words.join(' ')} ended with ${status}: ${program.output}`)
    return program.output
  }
  return {
    done: (...words) => run(true, words),
    refused: (...words) => run(false, words),
    follow: (...words) => start(words),
    typed: (...words) =>
      new Terminal(`${process.execPath} ${palisade} firewall ${words.join(' ')}`, environment),
  }
}
