import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { apacheModules, apacheProgram, freePort } from './apache.ts'

/** An Apache with ModSecurity 2.9: what a rule does. */
export interface RuleOracle {
  /**
   * Sends arguments in the body of a request.
   *
   * @returns the lines that the rules wrote
   */
  post(args: Readonly<Record<string, string>>): Promise<readonly string[]>
  stop(): Promise<void>
}

/** @param rules with actions that log; phase 2 sees the arguments */
export async function startRuleOracle(rules: readonly string[]): Promise<RuleOracle> {
  const folder = await mkdtemp(join(tmpdir(), 'rule-oracle-'))
  const port = await freePort()
  await writeFile(join(folder, 'httpd.conf'), configuration(folder, port, rules), 'latin1')
  const apache = spawn(apacheProgram, ['-X', '-f', join(folder, 'httpd.conf')], { stdio: 'ignore' })
  await untilAnswered(port, apache, join(folder, 'error.log'))
  let requests = 0
  let lines: readonly string[] = []
  return {
    async post(args) {
      const before = lines.length
      requests++
      const headers = { 'x-request-number': String(requests) }
      await ask(port, { method: 'POST', headers, body: new URLSearchParams(args) })
      lines = await untilLogged(folder, requests)
      return lines.slice(before, -1)
    },
    async stop() {
      const ended = new Promise((resolve) => apache.once('exit', resolve))
      apache.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

function configuration(folder: string, port: number, rules: readonly string[]): string {
  const loaded = ['mpm_prefork', 'authz_core', 'unique_id'].map(
    (name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`,
  )
  return [
    'ServerName localhost',
    `ServerRoot ${folder}`,
    `PidFile ${folder}/pid`,
    `Listen 127.0.0.1:${port}`,
    ...loaded,
    `LoadModule security2_module ${apacheModules}/mod_security2.so`,
    `ErrorLog ${folder}/error.log`,
    'ErrorLogFormat "%M"',
    'KeepAlive Off',
    'SecRuleEngine On',
    'SecRequestBodyAccess On',
    'SecPcreMatchLimit 1000000',
    'SecPcreMatchLimitRecursion 1000000',
    `SecDataDir ${folder}`,
    ...rules,
    // The last line of a request says that it has ended.
    `SecRule REQUEST_HEADERS:X-Request-Number "@gt 0" "id:99999,phase:5,pass,t:none,log,noauditlog,logdata:'ended %{MATCHED_VAR}'"`,
    '',
  ].join('\n')
}

async function readLines(folder: string): Promise<readonly string[]> {
  const log = await readFile(join(folder, 'error.log'), 'latin1')
  return log.split('\n').filter((line) => line.includes('ModSecurity: Warning.'))
}

async function untilLogged(folder: string, request: number): Promise<readonly string[]> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const lines = await readLines(folder)
    if (lines.at(-1)?.includes(`[data "ended ${request}"]`)) return lines
    await sleep(2)
  }
  throw new Error('Apache does not log the end of a request')
}

/** Reads the answer to its end, so that the connection is free: Apache serves one at a time here. */
async function ask(port: number, request?: RequestInit): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/`, request)
  await response.arrayBuffer()
}

async function untilAnswered(port: number, apache: ChildProcess, log: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (apache.exitCode !== null) throw new Error(`Apache has ended: ${await readFile(log, 'latin1')}`)
    const answer = await ask(port).then(
      () => true,
      () => false,
    )
    if (answer) return
    await sleep(50)
  }
  throw new Error('Apache does not answer')
}
