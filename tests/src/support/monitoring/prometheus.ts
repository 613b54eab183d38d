import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../firewall/proxy.ts'
import { eventually } from '../programs/calls.ts'
import { Program } from '../programs/program.ts'
import { newFolder } from '../programs/server.ts'

/** A rule, as Prometheus has understood it. */
export interface Rule {
  readonly name: string
  readonly query: string
  readonly annotations: Readonly<Record<string, string>>
}

/** An alert that fires or is about to. */
export interface Alert {
  readonly state: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** Debian's Prometheus, with its own folder, on a free port of loopback. */
export class Prometheus {
  readonly #address: string

  private constructor(address: string) {
    this.#address = address
  }

  /**
   * Starts one and waits until it answers; `cleanUp` ends it.
   *
   * @param configuration its configuration file
   * @param files others that it names, by their names
   */
  static async start(configuration: string, files: Readonly<Record<string, string>>): Promise<Prometheus> {
    const folder = newFolder()
    const configurationFile = join(folder, 'prometheus.yml')
    writeFileSync(configurationFile, configuration)
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const address = `127.0.0.1:${await freePort()}`
    const flags = [
      `--config.file=${configurationFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ]
    const program = new Program(flags, {}, folder, ['/usr/bin/prometheus'])
    await program.line(/Server is ready to receive web requests/)
    return new Prometheus(`http://${address}/api/v1`)
  }

  /** @throws Error with what Prometheus says when it refuses the call */
  async call(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const reply = await fetch(`${this.#address}/${path}?${new URLSearchParams(parameters)}`)
    const answer = Object(await reply.json())
    if (answer.status !== 'success') throw new Error(`${Object.values(parameters)}: ${answer.error}`)
    return answer.data
  }

  /** The names and labels of all series whose name begins so. */
  async series(prefix: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const data = await this.call('series', { 'match[]': `{__name__=~"${prefix}.*"}` })
    return data as readonly Readonly<Record<string, string>>[]
  }

  async rules(): Promise<readonly Rule[]> {
    const { groups } = Object(await this.call('rules'))
    return (groups as { readonly rules: readonly Rule[] }[]).flatMap(({ rules }) => rules)
  }

  async alerts(): Promise<readonly Alert[]> {
    return Object(await this.call('alerts')).alerts
  }

  /** Waits until an alert fires. */
  firing(name: string): Promise<Alert> {
    return eventually(`${name} firing`, async () =>
      (await this.alerts()).find(({ state, labels }) => labels.alertname === name && state === 'firing'),
    )
  }
}
