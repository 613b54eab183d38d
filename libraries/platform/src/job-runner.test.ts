import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLog } from '@palisade/log'
import { type Clock, systemClock } from './clock.ts'
import { migrate } from './database/migrate.ts'
import type { Store } from './database/store.ts'
import { JobPostponed, type JobQueue, JobRunner, type JobRunnerOptions, type Lease } from './job-runner.ts'
import { onEveryStore } from './testing/stores.ts'

interface JobRow {
  name: string
  due_at: number
  holder: string | null
  leased_until: number
}
interface Job {
  readonly name: string
  readonly dueAt: number
}
const never = 1e15

onEveryStore('a job that is due', (newStore) => {
  /** Jobs in a table, with what is done for each. */
  class TestJobs implements JobQueue<Job> {
    readonly store: Store
    readonly perform: (job: Job, signal: AbortSignal) => Promise<void>
    /** What was begun, in order. */
    readonly runs: string[] = []
    running = 0
    runningMost = 0

    constructor(store: Store, perform: TestJobs['perform'] = async () => undefined) {
      this.store = store
      this.perform = perform
    }

    get #tables() {
      return this.store.tables<{ job: JobRow }>()
    }

    async add(names: readonly string[], dueAt: number): Promise<void> {
      const rows = names.map((name) => ({ name, due_at: dueAt, holder: null, leased_until: 0 }))
      await this.#tables.insertInto('job').values(rows).execute()
    }

    row(name: string): Promise<JobRow> {
      return this.#tables.selectFrom('job').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
    }

    async due(nowMs: number, countMax: number): Promise<Job[]> {
      return this.#tables
        .selectFrom('job')
        .select(['name', 'due_at as dueAt'])
        .where('due_at', '<=', nowMs)
        .where('leased_until', '<=', nowMs)
        .orderBy('due_at')
        .limit(countMax)
        .execute()
    }

    async nextDueAt(nowMs: number): Promise<number | undefined> {
      const row = await this.#tables
        .selectFrom('job')
        .select(({ fn }) => fn.min('due_at').as('first'))
        .where('leased_until', '<=', nowMs)
        .executeTakeFirst()
      return row?.first ?? undefined
    }

    nameOf({ name }: Job): string {
      return name
    }

    laneOf({ name }: Job): string {
      return name.split(' ')[0] ?? ''
    }

    async claim({ name, dueAt }: Job, { holder, untilMs }: Lease, nowMs: number): Promise<boolean> {
      const { numUpdatedRows } = await this.#tables
        .updateTable('job')
        .set({ holder, leased_until: untilMs })
        .where('name', '=', name)
        .where('due_at', '=', dueAt)
        .where('leased_until', '<=', nowMs)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    }

    async renew({ name }: Job, { holder, untilMs }: Lease): Promise<boolean> {
      const { numUpdatedRows } = await this.#tables
        .updateTable('job')
        .set({ leased_until: untilMs })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    }

    async run(job: Job, holder: string, signal: AbortSignal): Promise<void> {
      this.runs.push(job.name)
      this.runningMost = Math.max(this.runningMost, ++this.running)
      try {
        await this.perform(job, signal)
        await this.giveBack(job, holder, never)
      } finally {
        this.running--
      }
    }

    async giveBack({ name }: Job, holder: string, dueAt: number): Promise<void> {
      await this.#tables
        .updateTable('job')
        .set({ holder: null, leased_until: 0, due_at: dueAt })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute()
    }

    /** Gives the lease of a job to somebody else. */
    async steal(name: string): Promise<void> {
      await this.#tables
        .updateTable('job')
        .set({ holder: 'thief', leased_until: never })
        .where('name', '=', name)
        .execute()
    }
  }

  async function jobTable(): Promise<Store> {
    const store = await newStore()
    await migrate(store, 'jobs', {
      '0001-jobs': {
        async up(db) {
          await db.schema
            .createTable('job')
            .addColumn('name', 'text', (column) => column.primaryKey())
            .addColumn('due_at', 'bigint', (column) => column.notNull())
            .addColumn('holder', 'text')
            .addColumn('leased_until', 'bigint', (column) => column.notNull())
            .execute()
        },
      },
    })
    return store
  }

  /** A server that does the jobs; what it has logged is in `lines`. */
  function serve(jobs: JobQueue<Job>, more: Partial<JobRunnerOptions<Job>> = {}) {
    const lines: string[] = []
    const log = createLog('debug', { write: (line) => void lines.push(line) })
    const usual = { name: 'a job', clock: systemClock, pollIntervalMs: 10, concurrencyMax: 8, log }
    return { work: new JobRunner({ ...usual, jobs, ...more }), lines }
  }

  const until = async (isSo: () => boolean | Promise<boolean>) => {
    const end = Date.now() + 20_000
    while (!(await isSo())) {
      assert.ok(Date.now() < end, String(isSo))
      await delay(5)
    }
  }
  const names = (lane: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${lane} ${index}`)

  test('is done once by one of several servers', async () => {
    const store = await jobTable()
    const jobNames = names('x', 60)
    const servers = [1, 2, 3].map(() => new TestJobs(store, () => delay(1)))
    await servers[0]?.add(jobNames, 0)
    const works = servers.map((jobs) => serve(jobs).work)
    await until(() => servers.reduce((sum, { runs }) => sum + runs.length, 0) >= jobNames.length)
    await delay(100)
    await Promise.all(works.map((work) => work.close()))
    assert.deepEqual(servers.flatMap(({ runs }) => runs).sort(), jobNames.sort())
    for (const name of jobNames) assert.equal((await servers[0]?.row(name))?.due_at, never)
  })

  test('is counted: how late it is while nobody is at it, where it runs, and how often it has failed', async () => {
    const store = await jobTable()
    let fails: () => void = () => undefined
    const jobs = new TestJobs(
      store,
      () =>
        new Promise((_resolve, reject) => {
          fails = () => reject(new Error('it cannot be done'))
        }),
    )
    const { work } = serve(jobs, { retryAfterMs: never })
    assert.deepEqual(await work.figures(), { overdueSeconds: 0, running: 0, failed: 0 })
    await jobs.add(['x'], Date.now())
    await until(async () => (await work.figures()).running === 1)
    assert.equal((await work.figures()).overdueSeconds, 0)
    fails()
    await until(async () => (await work.figures()).failed === 1)
    assert.equal((await work.figures()).running, 0)
    await work.close()
    await jobs.add(['y'], Date.now() - 90_000)
    const { overdueSeconds } = await work.figures()
    assert.ok(overdueSeconds >= 90 && overdueSeconds < 150, `${overdueSeconds} s`)
  })

  test('begins when it is due, not at the next poll', async () => {
    const jobs = new TestJobs(await jobTable())
    const { work } = serve(jobs, { pollIntervalMs: 5000 })
    const dueAt = Date.now() + 5400
    await jobs.add(['x'], dueAt)
    await until(() => jobs.runs.length > 0)
    const lateMs = Date.now() - dueAt
    assert.ok(lateMs >= 0 && lateMs < 4400, `${lateMs} ms late`)
    await work.close()
  })

  test('begins at once when it became due while the poll asked', async () => {
    const jobs = new TestJobs(await jobTable())
    const start = Date.now()
    await jobs.add(['x'], start + 60_000)
    let aheadMs = 0
    let polls = 0
    jobs.due = async (nowMs, countMax) => {
      const due = await TestJobs.prototype.due.call(jobs, nowMs, countMax)
      if (polls++ === 0) aheadMs = 60_000
      return due
    }
    const { work } = serve(jobs, { pollIntervalMs: 5000, clock: { now: () => Date.now() + aheadMs } })
    await until(() => jobs.runs.length > 0)
    const tookMs = Date.now() - start
    assert.ok(tookMs < 9400, `${tookMs} ms`)
    await work.close()
  })

  test('keeps its lease for as long as it takes, and no other server begins it', async () => {
    const store = await jobTable()
    const servers = [1, 2].map(() => new TestJobs(store, () => delay(1500)))
    await servers[0]?.add(['x'], 0)
    const works = servers.map((jobs) => serve(jobs, { leaseMs: 600 }).work)
    await until(async () => (await servers[0]?.row('x'))?.due_at === never)
    await Promise.all(works.map((work) => work.close()))
    assert.deepEqual(
      servers.flatMap(({ runs }) => runs),
      ['x'],
    )
  })

  test('ends when its lease is lost, and leaves it to who has it', async () => {
    let reason: unknown
    const jobs = new TestJobs(await jobTable(), async (_job, signal) => {
      await jobs.steal('x')
      await delay(20_000, undefined, { signal }).catch((error: unknown) => {
        reason = error
        throw error
      })
    })
    await jobs.add(['x'], 0)
    const { work, lines } = serve(jobs, { leaseMs: 60 })
    await until(() => reason !== undefined)
    await work.close()
    assert.equal((await jobs.row('x')).holder, 'thief')
    assert.doesNotMatch(lines.join(''), /a job failed/)
  })

  test('that a server has died at is begun anew when its lease has run out', async () => {
    const store = await jobTable()
    const dead = new TestJobs(store)
    await dead.add(['x'], 0)
    const now = Date.now()
    assert.equal(await dead.claim({ name: 'x', dueAt: 0 }, { holder: 'dead', untilMs: now + 300 }, now), true)
    const jobs = new TestJobs(store)
    const { work } = serve(jobs)
    await until(() => jobs.runs.length > 0)
    assert.ok(Date.now() >= now + 300)
    await work.close()
  })

  test('that fails is due again later; that has to wait, as soon as it says', async () => {
    let now = 1000
    const clock: Clock = { now: () => now }
    const jobs = new TestJobs(await jobTable(), async ({ name }) => {
      throw name === 'wait' ? new JobPostponed('not now', 20) : new Error('no')
    })
    await jobs.add(['fail', 'wait'], 1000)
    const { work, lines } = serve(jobs, { clock, retryAfterMs: 500 })
    await until(
      async () => (await jobs.row('fail')).due_at === 1500 && (await jobs.row('wait')).due_at === 1020,
    )
    now = 1020
    await until(async () => (await jobs.row('wait')).due_at === 1040)
    await work.close()
    assert.deepEqual(jobs.runs.toSorted(), ['fail', 'wait', 'wait'])
    const entries = lines.map((line) => JSON.parse(line))
    assert.deepEqual(
      entries.filter(({ level }) => level === 50).map(({ job, msg }) => [job, msg]),
      [['fail', 'a job failed']],
    )
  })

  test('is done by so many at once in a lane, goes on as places become free, and holds up no other lane', async () => {
    const free = Promise.withResolvers<void>()
    const jobs = new TestJobs(await jobTable(), ({ name }) => (name === 'slow 0' ? free.promise : delay(2)))
    await jobs.add(names('slow', 3), 0)
    await jobs.add(names('fast', 6), 1)
    // Only the end of a job can bring the next: the next poll is later.
    const { work } = serve(jobs, { pollIntervalMs: 400, concurrencyMax: 1 })
    jobs.due = async (nowMs) => TestJobs.prototype.due.call(jobs, nowMs, 100)
    const began = Date.now()
    await until(() => jobs.runs.filter((name) => name.startsWith('fast')).length === 6)
    assert.ok(Date.now() - began < 1600, 'they do not wait for the next poll')
    assert.deepEqual(
      jobs.runs.filter((name) => name.startsWith('slow')),
      ['slow 0'],
    )
    assert.equal(jobs.runningMost, 2)
    free.resolve()
    await until(() => jobs.runs.length === 9)
    await work.close()
  })

  test('ends when the server stops, is waited for, and is due as it was', async () => {
    let ended = false
    const jobs = new TestJobs(await jobTable(), async (_job, signal) => {
      await delay(20_000, undefined, { signal }).catch(() => delay(50))
      ended = true
      throw new Error('ended in the middle')
    })
    await jobs.add(['x'], 7)
    const { work, lines } = serve(jobs)
    await until(() => jobs.running === 1)
    await work.close()
    assert.equal(ended, true)
    assert.deepEqual({ ...(await jobs.row('x')) }, { name: 'x', due_at: 7, holder: null, leased_until: 0 })
    assert.deepEqual(lines, [])
  })

  test('is asked for more and more seldom while the store is away, and goes on when it is back', async () => {
    const jobs = new TestJobs(await jobTable())
    await jobs.add(['x'], 0)
    let isAway = true
    let calls = 0
    const { work, lines } = serve(jobs, {
      beforePoll: async () => {
        calls++
        if (isAway) throw new Error('the store is away')
      },
    })
    await delay(500)
    assert.ok(calls > 1 && calls <= 7, `asked ${calls} times in 500 ms`)
    assert.equal(lines.length, calls)
    assert.match(lines[0] ?? '', /the store is away.*a job: what is due could not be asked for/)
    isAway = false
    await until(() => jobs.runs.length === 1)
    await work.close()
  })

  test('that cannot be begun holds up nothing else', async () => {
    const jobs = new TestJobs(await jobTable())
    await jobs.add(['bad', 'good'], 0)
    const { claim } = TestJobs.prototype
    jobs.claim = (job, ...more) =>
      job.name === 'bad' ? Promise.reject(new Error('it cannot be read')) : claim.call(jobs, job, ...more)
    const { work, lines } = serve(jobs)
    await until(() => jobs.runs.includes('good'))
    await work.close()
    assert.match(lines.join(''), /it cannot be read/)
  })
})
