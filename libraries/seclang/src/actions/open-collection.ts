import { compileMacro } from '../engine/macro.ts'
import type { Effect } from '../engine/rule.ts'
import { storedCollections } from '../variables/collection-variables.ts'

/** `initcol:ip=%{remote_addr}`: opens a stored collection for this transaction. Without a value nothing is opened. */
export function openCollection(argument: string): Effect {
  const [, name = '', instance] = /^\s*([A-Za-z_]+)\s*=(.*)$/s.exec(argument) ?? []
  const collection = name.toLowerCase()
  if (instance === undefined || !storedCollections.includes(collection)) {
    throw new Error(
      `initcol: one of ${storedCollections.join(', ')} with = and a value was expected, not "${argument}"`,
    )
  }
  const macro = compileMacro(instance)
  return (inspection) => {
    const text = macro.expand(inspection)
    if (text !== '') inspection.openStored(collection, text)
  }
}

/** `setsid`, `setuid` and `setrsc`: open SESSION, USER or RESOURCE of this web application. */
export function openApplicationCollection(
  collection: 'session' | 'user' | 'resource',
  argument: string,
): Effect {
  const macro = compileMacro(argument)
  return (inspection) => {
    const text = macro.expand(inspection)
    if (text === '') return
    if (collection === 'session') inspection.sessionId = text
    if (collection === 'user') inspection.userId = text
    inspection.openStored(collection, `${inspection.settings.webApplicationId}_${text}`)
  }
}
