import { type AdministeredResource, exampleOf, operatorSecurity } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { operationOf, titleOf } from './operation-names.ts'
import { pageQuery } from './page.ts'
import { ResourceAccess } from './resource-access.ts'
import { type ResourceDependencies, type ResourceRequest, ResourceRoutes } from './resource-routes.ts'

/** Adds the routes of a collection and of the things in it, as far as there are any. */
export function mountResource(
  scope: FastifyInstance,
  resource: AdministeredResource,
  deps: ResourceDependencies,
): void {
  const access = new ResourceAccess(resource, deps.authentication)
  const routes = new ResourceRoutes(resource, deps, access)
  const { path, idParameter, noun, item, secrets, creation, change } = resource
  const title = titleOf(noun.one)
  const onePath = `${path}/:${idParameter}`
  const tags = [noun.many]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = (own: readonly string[]) =>
    own.length === 0
      ? {}
      : { params: Type.Object(Object.fromEntries(own.map((name) => [name, Type.String()]))) }
  const reading = { onRequest: access.admitting('read') }
  const writing = { onRequest: access.admitting('write') }
  const deleting = { onRequest: access.admitting('delete') }
  const ofMany = { tags, security: operatorSecurity, ...params(names) }
  const ofOne = { tags, security: operatorSecurity, ...params([...names, idParameter]) }
  const matching = Type.Object({
    'if-match': Type.String({ description: 'the ETag of the state that is changed, or *' }),
  })

  const page = Type.Object(
    {
      items: Type.Array(item),
      next: Type.Union([Type.String(), Type.Null()], { examples: ['WyJ1c2VybmFtZSIsImFkYSIsImFkYSJd'] }),
    },
    { title: `${title}Page` },
  )
  scope.get<ResourceRequest>(
    path,
    {
      ...reading,
      schema: {
        ...ofMany,
        operationId: `list${titleOf(noun.many)}`,
        summary: `List ${noun.many}`,
        querystring: pageQuery(resource),
        response: { 200: page },
      },
    },
    (request) => routes.list(request),
  )
  scope.get<ResourceRequest>(
    onePath,
    {
      ...reading,
      schema: {
        ...ofOne,
        operationId: `get${title}`,
        summary: `Read one ${noun.one}`,
        response: { 200: item },
      },
    },
    (request, reply) => routes.read(request, reply),
  )
  if (creation) {
    scope.post<ResourceRequest>(
      path,
      {
        ...writing,
        schema: {
          ...ofMany,
          operationId: `create${title}`,
          summary: `Add one ${noun.one}`,
          body: creation,
          response: { 201: withSecrets(item, secrets, `${title}Created`) },
        },
      },
      (request, reply) => routes.create(request, reply),
    )
  }
  if (change) {
    scope.patch<ResourceRequest>(
      onePath,
      {
        ...writing,
        schema: {
          ...ofOne,
          operationId: `update${title}`,
          summary: `Change one ${noun.one}`,
          headers: matching,
          body: change,
          response: { 200: item },
        },
      },
      (request, reply) => routes.update(request, reply),
    )
  }
  if (resource.remove) {
    const preview = Type.Object(
      { losses: Type.Array(Type.String(), { examples: [['its API tokens']] }) },
      { title: 'Losses' },
    )
    scope.delete<ResourceRequest>(
      onePath,
      {
        ...deleting,
        schema: {
          ...ofOne,
          operationId: `delete${title}`,
          summary: `Delete one ${noun.one}, or tell what would be lost with it`,
          headers: matching,
          querystring: Type.Object({
            preview: Type.Optional(
              Type.Enum(['true'], { description: 'tells what would be lost, and deletes nothing' }),
            ),
          }),
          response: { 200: preview, 204: Type.Null({ description: 'it is gone' }) },
        },
      },
      (request, reply) => routes.remove(request, reply),
    )
  }
  for (const action of resource.actions ?? []) {
    const actionTitle = titleOf(action.name)
    scope.post<ResourceRequest>(
      `${onePath}/${action.name}`,
      {
        onRequest: access.admitting(action.isForReaders === true ? 'read' : 'write', action.isOwn),
        schema: {
          ...ofOne,
          operationId: operationOf(action, title),
          summary: action.summary,
          ...(action.body ? { body: action.body } : {}),
          response: { 200: withSecrets(item, action.secrets, `${title}After${actionTitle}`) },
        },
      },
      (request) => routes.perform(request, action),
    )
  }
}

function withSecrets(
  item: AdministeredResource['item'],
  secrets: AdministeredResource['secrets'],
  title: string,
): TSchema {
  if (secrets === undefined) return item
  const examples = [{ ...Object(exampleOf(item)), ...Object(exampleOf(secrets)) }]
  return Type.Object({ ...item.properties, ...secrets.properties }, { title, examples })
}
