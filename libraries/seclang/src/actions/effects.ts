import { compileMacro } from '../engine/macro.ts'
import type { Effect } from '../engine/rule.ts'
import type { ActionSyntax } from '../language/syntax.ts'
import { control } from './control.ts'
import { openApplicationCollection, openCollection } from './open-collection.ts'
import type { SelectRulesLater } from './select-rules-later.ts'
import { expireVariable, setVariable } from './set-variable.ts'

/** Makes an effect of an action's argument (empty when it has none). */
type EffectAction = (argument: string, selectRules: SelectRulesLater) => Effect

const effectActions: ReadonlyMap<string, EffectAction> = new Map<string, EffectAction>([
  ['setvar', setVariable],
  ['expirevar', expireVariable],
  ['initcol', openCollection],
  ['setsid', (argument) => openApplicationCollection('session', argument)],
  ['setuid', (argument) => openApplicationCollection('user', argument)],
  ['setrsc', (argument) => openApplicationCollection('resource', argument)],
  ['setenv', setEnvironment],
  ['ctl', control],
  ['sanitisearg', (argument) => sanitise(['ARGS', 'ARGS_GET', 'ARGS_POST'], argument)],
  ['sanitisematched', () => sanitiseMatched],
  ['sanitisematchedbytes', () => sanitiseMatched],
  ['sanitiserequestheader', (argument) => sanitise(['REQUEST_HEADERS'], argument)],
  ['sanitiseresponseheader', (argument) => sanitise(['RESPONSE_HEADERS'], argument)],
])

/** Whether an action is one that {@link effectOf} makes something of. Both spellings of sanitise are understood. */
export function isEffect(name: string): boolean {
  return effectActions.has(british(name))
}

/** @throws {Error} naming what was expected */
export function effectOf({ name, argument }: ActionSyntax, selectRules: SelectRulesLater): Effect {
  const make = effectActions.get(british(name))
  if (make === undefined) throw new Error(`the action ${name} is not known`)
  return make(argument ?? '', selectRules)
}

function british(name: string): string {
  return name.replace(/^sanitize/, 'sanitise')
}

/** `setenv:name=value`, for the caller to read, and for rules as ENV. */
function setEnvironment(argument: string): Effect {
  const [, name = '', value = '1'] = /^([^=]+)(?:=(.*))?$/s.exec(argument) ?? []
  const macro = compileMacro(value)
  if (name.startsWith('!')) return (inspection) => inspection.environment.unset(name.slice(1))
  return (inspection) => inspection.environment.set(name, macro.expand(inspection))
}

/** `sanitiseArg:password` and the like: the values of these names must not appear in logs. */
function sanitise(variables: readonly string[], key: string): Effect {
  const names = variables.map((variable) => `${variable}:${key}`)
  return (inspection) => {
    for (const name of names) inspection.sanitisedNames.add(name.toLowerCase())
  }
}

/** `sanitiseMatched`: the value that matched must not appear in logs. */
const sanitiseMatched: Effect = (inspection) => {
  const name = inspection.matchedTarget?.name
  if (name !== undefined) inspection.sanitisedNames.add(name.toLowerCase())
}
