import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { answer } from '@palisade/sdk'
import { optionText } from '../api-command.ts'
import type { Connection } from '../connection.ts'
import { type PathParameters, ResourceClient, type ResourcePath } from './resource-client.ts'

/** Adds an option for each parameter of a resource's path. An operator is who calls when none is named. */
export function addPlacementOptions(command: CommandUnknownOpts, path: ResourcePath): void {
  for (const name of parametersOf(path)) {
    const option =
      name === 'operator'
        ? new Option('--operator <name>', 'whose they are; your own when left out')
        : new Option(`--${name} <id>`, `the ${name} that they belong to`).makeOptionMandatory()
    command.addOption(option)
  }
}

/** The values of those options. */
export function placementOf(command: CommandUnknownOpts, path: ResourcePath): PathParameters {
  return Object.fromEntries(
    parametersOf(path).flatMap((name) => {
      const value = optionText(command, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Calls of a resource at a place. */
export async function resourceClient(
  { administration, fetch }: Pick<Connection, 'administration' | 'fetch'>,
  path: ResourcePath,
  placement: PathParameters,
): Promise<ResourceClient> {
  const isOwn = parametersOf(path).includes('operator') && placement.operator === undefined
  const own = isOwn ? { operator: (await answer(administration.GET('/session'))).username } : {}
  return new ResourceClient(fetch, path, { ...placement, ...own })
}

function parametersOf(path: ResourcePath): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}
