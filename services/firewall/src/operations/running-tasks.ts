import { refuseOtherParameters } from '../rest/query.ts'
import type { SpecialOperation } from '../rest/special-operation.ts'
import { answer } from './body.ts'
import { describedData, describedParameter } from './described.ts'
import type { Job, Jobs } from './jobs.ts'

const title = 'Running Tasks'

/** `GET ops/running-tasks`: what long operations are doing, and what became of the last ones. */
export function runningTasks({ jobs }: { readonly jobs: Jobs }): SpecialOperation {
  return {
    method: 'GET',
    path: 'ops/running-tasks',
    mayBeDone: (permissions) => permissions.mayPerform('restore-backup') || permissions.mayPerform('backup'),
    description: {
      operationId: 'listRunningTasks',
      summary: 'Tell what long operations are doing, and what became of the last ones',
      tags: ['Import JSON Configuration'],
      parameters: [describedParameter('job_id', 'The job that is asked for; all when left out.')],
      responses: describedData('The jobs by their ids.'),
    },
    handle: async (call) => {
      const { query } = call.request
      refuseOtherParameters(query, ['job_id'])
      const id = query.job_id
      const jobsToShow = id === undefined ? await jobs.list() : [await jobs.find(String(id))]
      if (jobsToShow.length === 0) return answer(call, { object: title })
      return answer(call, {
        object: title,
        data: Object.fromEntries(jobsToShow.map((job) => [job.id, toldJob(job)])),
      })
    },
  }
}

function toldJob({ id, operation, state, username, startedAt, finishedAt, messages }: Job) {
  return {
    job_id: id,
    operation,
    state,
    administrator: username,
    started: new Date(startedAt).toISOString(),
    finished: finishedAt === 0 ? '' : new Date(finishedAt).toISOString(),
    messages,
  }
}
