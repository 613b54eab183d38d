import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Program } from '../programs/program.ts'
import { newFolder, provisioned, type Server } from '../programs/server.ts'

/** Runs `palisade firewall …`. */
export interface FirewallCommand {
  /** What a command prints that has to end well. */
  done(...words: string[]): Promise<string>
  /** What a command prints and says that has to fail. */
  refused(...words: string[]): Promise<string>
  /** One that goes on until it is stopped. */
  follow(...words: string[]): Program
}

/** `palisade firewall …` as the administrator of the provisioned configuration. */
export function firewallCommandOf(server: Server): FirewallCommand {
  const [administrator] = provisioned.firewall.administrators
  const passwordFile = join(newFolder(), 'password')
  writeFileSync(passwordFile, `${administrator?.password}\n`, { mode: 0o600 })
  const start = (words: readonly string[]) =>
    new Program(['firewall', ...words], {
      PALISADE_SERVER: server.firewall,
      PALISADE_FIREWALL_USERNAME: administrator?.username ?? '',
      PALISADE_FIREWALL_PASSWORD_FILE: passwordFile,
    })
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
  }
}
