/**
 * Names of all objects of a vault:
 *
 *     vault.json                            configuration (vault/configuration.ts)
 *     vault.copy.json                       the same once more
 *     domains/<tag>/domain                  the domain's name in UTF-8, a record (record.ts) under the
 *                                           `domain-names` key; belongs to: "domain" 00 <tag, hex>
 *     domains/<tag>/packs/<pack id>         pack/pack-format.ts
 *     domains/<tag>/index/<random id>       chunk-index/index-segment.ts
 *     domains/<tag>/revisions/<revision>    revision/revision-format.ts
 *     domains/<tag>/deletions/<random id>   vault/planned-deletions.ts
 *
 * Tags and ids are 32 hexadecimal digits.
 */
export const domainsPrefix = 'domains/'

/** The object that holds the name of the domain with this tag, sealed. */
export function domainNameObject(tag: string): string {
  return `${domainsPrefix}${tag}/domain`
}

/** The tag of a domain, when the name is that of the object with the domain's name. */
export function tagOfDomainNameObject(name: string): string | undefined {
  return /^domains\/([0-9a-f]{32})\/domain$/.exec(name)?.[1]
}

/** What the names of all packs of a domain begin with. */
export function packsPrefix(tag: string): string {
  return `${domainsPrefix}${tag}/packs/`
}

/** What the names of all index segments of a domain begin with. */
export function segmentsPrefix(tag: string): string {
  return `${domainsPrefix}${tag}/index/`
}

/** What the names of all lists of planned deletions of a domain begin with. */
export function deletionsPrefix(tag: string): string {
  return `${domainsPrefix}${tag}/deletions/`
}

/** What the names of all revisions of a domain begin with. */
export function revisionsPrefix(tag: string): string {
  return `${domainsPrefix}${tag}/revisions/`
}

/** The last segment of an object's name. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
