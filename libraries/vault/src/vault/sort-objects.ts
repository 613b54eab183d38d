import { domainNameObject } from '../object-names.ts'
import { configurationCopyName, configurationName } from './configuration.ts'
import type { Finding } from './finding.ts'

const form =
  /^domains\/([0-9a-f]{32})\/(?:domain|packs\/[0-9a-f]{32}|index\/[0-9a-f]{32}|deletions\/[0-9a-f]{32}|revisions\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/

/** The tags of all domains that have objects, and the objects that no vault has. */
export function sortObjects(names: readonly string[]): { tags: Set<string>; findings: Finding[] } {
  const tags = new Set<string>()
  const findings: Finding[] = []
  for (const name of names) {
    const tag = form.exec(name)?.[1]
    if (tag !== undefined) tags.add(tag)
    else if (name !== configurationName && name !== configurationCopyName) {
      findings.push({
        code: 'object-unknown',
        object: name,
        revisions: [],
        message: 'no object of a vault has such a name',
      })
    }
  }
  return { tags, findings }
}

/** The finding for a domain whose name object is missing or damaged. */
export function namelessDomain(tag: string): Finding {
  const message = 'the name of the domain cannot be read, so its objects cannot be checked'
  return { code: 'domain-nameless', object: domainNameObject(tag), revisions: [], message }
}

/** The finding for `vault.json` or its copy. */
export function damagedConfiguration(name: string): Finding {
  const message = 'the object with the keys of the vault is missing or is not what was written'
  return { code: 'configuration-damaged', object: name, revisions: [], message }
}
