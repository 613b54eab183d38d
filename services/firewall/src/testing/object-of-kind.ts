import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { ConfigurationObject } from '../objects/configuration-object.ts'
import { type Content, completeContent } from '../objects/content.ts'

const kinds = compileCatalogue(catalogue)

/** An object as the configuration would hold it, with nothing inside it. @param kindName of the catalogue @param parts what is not as its defaults say */
export function objectOfKind(kindName: string, parts: Partial<Content> = {}): ConfigurationObject {
  const kind = kinds.get(kindName)
  if (kind === undefined) throw new Error(`no kind is called ${kindName}`)
  const content = completeContent(kind, parts)
  const path = kind.lineage.map(({ name }) => name)
  return new ConfigurationObject({ kind, path, content, children: new Map(), version: 1 })
}
