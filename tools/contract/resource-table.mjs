// Writes what programs need to know of the resources of /admin/v1 to work with any of them: operations, filters, members.
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * @param document path of the OpenAPI document of the administration
 * @param module path of the TypeScript module that is written
 */
export function writeResourceTable(document, module) {
  const { paths, components } = JSON.parse(readFileSync(document, 'utf8'))
  const resources = Object.entries(paths)
    .filter(([, item]) => item.get?.parameters?.some(({ name }) => name === 'after'))
    .map(([path]) => [path, resourceAt(path, paths, components.schemas)])
  writeFileSync(
    module,
    `import type { AdministeredResource } from './administered-resource.ts'

/** The resources of /admin/v1 by their paths. Made from the contract by \`npm run contract\`. */
export const administeredResources = ${JSON.stringify(Object.fromEntries(resources), null, 2)} as const satisfies Readonly<Record<string, AdministeredResource>>
`,
  )
}

function resourceAt(path, paths, schemas) {
  const collection = paths[path]
  const [itemPath, item] = Object.entries(paths).find(
    ([other]) => other.startsWith(`${path}/{`) && !other.slice(path.length + 1).includes('/'),
  )
  const idParameter = itemPath.slice(path.length + 2, -1)
  const parameters = collection.get.parameters.filter((one) => one.in === 'query')
  const page = resolved(contentOf(collection.get.responses[200]), schemas)
  return {
    idParameter,
    id: idMember(objectOf(page.properties.items.items, schemas), idParameter),
    filters: Object.fromEntries(
      parameters
        .filter(({ name }) => !['limit', 'after', 'order'].includes(name))
        .map(({ name, description = '' }) => [name, description]),
    ),
    orders: parameters.find(({ name }) => name === 'order').schema.enum,
    operations: {
      list: collection.get.operationId,
      create: collection.post?.operationId ?? null,
      read: item.get.operationId,
      update: item.patch?.operationId ?? null,
      delete: item.delete?.operationId ?? null,
    },
    creation: membersOf(collection.post, schemas),
    change: membersOf(item.patch, schemas),
    actions: Object.entries(paths)
      .filter(([other, { get, post }]) => post && !get && other.startsWith(`${itemPath}/`))
      .filter(([other]) => !other.slice(itemPath.length + 1).includes('/'))
      .map(([other, { post }]) => ({
        name: other.slice(itemPath.length + 1),
        operation: post.operationId,
        summary: post.summary,
        members: membersOf(post, schemas),
      })),
  }
}

/** The member by which an item is addressed: that of the same name as the parameter, or `id`, `clientId`, `username`, `name`. */
function idMember({ properties }, parameter) {
  return [parameter, 'id', 'clientId', 'username', 'name'].find((name) => name in properties)
}

function membersOf(operation, schemas) {
  if (!operation?.requestBody) return {}
  const { properties, required } = objectOf(contentOf(operation.requestBody), schemas)
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      {
        ...typeOf(schema),
        isRequired: required.includes(name),
        isSecret: /password|secret/i.test(name),
        description: schema.description ?? '',
      },
    ]),
  )
}

/** The members of an object; of one of several forms, those of all of them, and as required what each requires. */
function objectOf(schema, schemas) {
  const { anyOf, properties, required = [] } = resolved(schema, schemas)
  if (anyOf === undefined) return { properties, required }
  const forms = anyOf.map((form) => objectOf(form, schemas))
  return {
    properties: Object.assign({}, ...forms.map((form) => form.properties)),
    required: forms[0].required.filter((name) => forms.every((form) => form.required.includes(name))),
  }
}

function typeOf(schema) {
  const kinds = schema.anyOf ?? [schema]
  const [kind] = kinds.filter(({ type }) => type !== 'null')
  const isNullable = kinds.some(({ type }) => type === 'null')
  const { items } = kind
  if (items === undefined) return { type: kind.type ?? 'string', isNullable, values: kind.enum ?? [] }
  return { type: items.$ref ? 'objects' : 'strings', isNullable, values: items.enum ?? [] }
}

function contentOf({ content }) {
  return content['application/json'].schema
}

function resolved(schema, schemas) {
  return schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema
}
