import { compileMacro, type Macro } from '../engine/macro.ts'
import type { Effect } from '../engine/rule.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { storedCollections } from '../variables/collection-variables.ts'

/** A variable that a rule writes: `tx.score`, `ip.%{matched_var}`. */
interface WrittenVariable {
  /** In lower case: `tx` or a stored collection. */
  readonly collection: string
  readonly key: Macro
}

/**
 * `setvar`: `tx.a=value`, `tx.a` (1), `tx.a=+2`, `tx.a=-2`, `!tx.a`. What is no number counts as 0; a sum is never below 0.
 *
 * @throws {Error} naming what was expected
 */
export function setVariable(argument: string): Effect {
  const equals = argument.indexOf('=')
  const name = equals === -1 ? argument : argument.slice(0, equals)
  const value = equals === -1 ? '1' : argument.slice(equals + 1)
  if (name.startsWith('!')) return unset(writtenVariable(name.slice(1)))
  const variable = writtenVariable(name)
  const sign = value[0]
  const isSum = sign === '+' || sign === '-'
  const macro = compileMacro(isSum ? value.slice(1) : value)
  const effect = isSum ? add(variable, macro, sign === '+' ? 1 : -1) : assign(variable, macro)
  const isOnlyOnTx = variable.collection === 'tx' && variable.key.readsOnlyTx && macro.readsOnlyTx
  return isOnlyOnTx ? Object.assign(effect, { isOnlyOnTx } as const) : effect
}

/** `expirevar:ip.a=60`: forgets a variable of a stored collection after that many seconds. */
export function expireVariable(argument: string): Effect {
  const [, name = '', seconds = ''] = /^([^=]+)=(.+)$/s.exec(argument) ?? []
  const { collection, key } = writtenVariable(name)
  const delay = compileMacro(seconds)
  if (collection === 'tx') throw new Error('expirevar: variables of TX do not outlive the transaction')
  return (inspection) => {
    const expiresAt = inspection.now() + toInteger(delay.expand(inspection)) * 1000
    inspection.stored(collection)?.expireAt(key.expand(inspection), expiresAt)
  }
}

function writtenVariable(text: string): WrittenVariable {
  const [, name = '', key] = /^\s*([A-Za-z_]+)\.(.+)$/s.exec(text) ?? []
  const collection = name.toLowerCase()
  if (key === undefined)
    throw new Error(`a collection and a key were expected, as in tx.score, not "${text}"`)
  if (collection !== 'tx' && !storedCollections.includes(collection)) {
    throw new Error(`rules cannot write to the collection ${name}`)
  }
  return { collection, key: compileMacro(key) }
}

function unset({ collection, key }: WrittenVariable): Effect {
  return (inspection) => {
    if (collection === 'tx') inspection.tx.unset(key.expand(inspection))
    else inspection.stored(collection)?.unset(key.expand(inspection))
  }
}

function assign({ collection, key }: WrittenVariable, value: Macro): Effect {
  if (collection === 'tx')
    return (inspection) => inspection.tx.set(key.expand(inspection), value.expand(inspection))
  return (inspection) => inspection.stored(collection)?.set(key.expand(inspection), value.expand(inspection))
}

function add({ collection, key }: WrittenVariable, amount: Macro, sign: 1 | -1): Effect {
  const sum = (old: string | undefined, difference: number) =>
    String(Math.max(0, toInteger(old) + difference))
  const differenceOf = (inspection: Inspection) => sign * toInteger(amount.expand(inspection))
  if (collection === 'tx') {
    return (inspection) => {
      const name = key.expand(inspection)
      inspection.tx.set(name, sum(inspection.tx.get(name.toLowerCase()), differenceOf(inspection)))
    }
  }
  return (inspection) => {
    const stored = inspection.stored(collection)
    const name = key.expand(inspection)
    const difference = differenceOf(inspection)
    stored?.add(name, sum(stored.variables.get(name.toLowerCase()), difference), difference)
  }
}

/** As C's atoi: the digits at the beginning, 0 without any. */
function toInteger(text: string | undefined): number {
  return Number.parseInt(text ?? '', 10) || 0
}
