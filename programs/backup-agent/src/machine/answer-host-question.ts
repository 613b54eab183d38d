import type { HostAnswer, HostQuestion, Obstacle } from '@palisade/agent-protocol'
import { describe } from '@palisade/start-up'
import { TaskFailure } from '../failure.ts'
import { HostFailure } from '../hosts/failure.ts'
import type { Hosts } from '../hosts/hosts.ts'
import {
  checkAgent,
  checkFileSystem,
  checkPath,
  checkPermissions,
  type FolderAccess,
} from './check-folder.ts'
import { describeHost } from './describe-host.ts'
import type { FolderFacts } from './folder-facts.ts'

/** The hosts that this agent reaches, and how it looks at folders. */
export interface HostQuestionDependencies extends FolderAccess {
  readonly hosts: Hosts
  readonly factsOf: (path: string) => Promise<FolderFacts>
}

/** The answer to what the server asks about hosts and folders for disks; what goes wrong is an answer too. */
export async function answerHostQuestion(
  question: HostQuestion,
  deps: HostQuestionDependencies,
): Promise<HostAnswer> {
  try {
    if (question.about === 'host') {
      return { kind: 'described', host: await describeHost(deps.hosts.find(question.host)) }
    }
    return { kind: 'checked', obstacles: await check(question, deps) }
  } catch (error) {
    return { kind: 'failed', obstacle: { code: codeOf(error), message: describe(error) } }
  }
}

async function check(
  question: Exclude<HostQuestion, { about: 'host' }>,
  { hosts, factsOf, ...access }: HostQuestionDependencies,
): Promise<Obstacle[]> {
  switch (question.about) {
    case 'path':
      return checkPath(question.folder, access)
    case 'agent':
      return checkAgent(question.folder, access)
    case 'network':
      return checkFileSystem(question.folder, question.diskFormat, access, factsOf)
    case 'permissions':
      return checkPermissions(question.folder, hosts.find(question.host).driver, access)
    case 'removal':
      await hosts.find(question.host).driver.remove(question.machineId, { disks: true })
      return []
    case 'name': {
      const { name, host } = question
      const other = await hosts.find(host).driver.find(name)
      return other === undefined ? [] : [{ code: 'taken', message: `there is a machine called ${name}` }]
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof HostFailure) return error.problem.code
  return error instanceof TaskFailure ? error.code : 'internal'
}
