import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Field, Kind } from './kinds/kind.ts'

/** What the system object says about the system itself, by field; clients cannot change it. */
export type SystemFacts = Readonly<Record<string, string>>

const serialDigits = 7

/**
 * The facts about this installation.
 *
 * @param key 32 bytes that only this installation knows, which give it a serial number that stays
 */
export function systemFacts(key: Buffer): SystemFacts {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const number = createHmac('sha256', key).update('palisade-firewall/serial').digest().readUIntBE(0, 6)
  return {
    'firmware-version': String(version),
    model: 'Palisade',
    serial: String(number % 10 ** serialDigits).padStart(serialDigits, '0'),
  }
}

/** The kinds with the facts as what the system object's fields hold. */
export function withSystemFacts(kinds: readonly Kind[], facts: SystemFacts): readonly Kind[] {
  return kinds.map((kind) => {
    if (kind.name !== 'system') return kind
    const fields: Record<string, Field> = { ...kind.fields }
    for (const [name, fact] of Object.entries(facts))
      fields[name] = { type: 'string', readOnly: true, default: fact }
    return { ...kind, fields }
  })
}
