/** The judges are the kernel's XFS and btrfs, and the tools that change files in all the ways there are. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentCommand } from '../command.ts'
import { knowsPlaces } from '../system-calls/extent-map.ts'
import { countThreads } from '../testing/agent/count-threads.ts'
import { endThreads, TestAgent } from '../testing/agent/test-agent.ts'
import { eventually } from '../testing/eventually.ts'
import { revisionContent } from '../testing/revisions/revision-content.ts'
import { hasTools, run } from '../testing/tool.ts'
import { whileMounted } from '../testing/volumes/mount.ts'
import { type SharingFileSystem, sharingFileSystems } from '../testing/volumes/sharing-file-system.ts'
import {
  chunkCount,
  chunkSizeBytes,
  goesOnAfter,
  sizeBytes,
  TrackedImage,
  withTrackedImage,
} from '../testing/volumes/tracked-image.ts'

const mebibyte = 1024 * 1024
const fileSystems = Object.keys(sharingFileSystems) as SharingFileSystem[]

/** Ways to change an image, each with how many chunks may be taken for changed by it: no more than it touched. */
const changes: Record<
  string,
  { change: (bench: TrackedImage) => void; chunksMax: number; only?: SharingFileSystem }
> = {
  'writing some bytes': {
    change: (bench) => bench.write(mebibyte + 77, randomBytes(100)),
    chunksMax: 1,
  },
  'writing pieces all over': {
    change: (bench) => {
      for (let piece = 0; piece < 20; piece++)
        bench.write(randomInt(sizeBytes - 9000), randomBytes(randomInt(1, 9000)))
    },
    chunksMax: 40,
  },
  'writing what was there before': {
    change: (bench) => bench.write(0, readFileSync(bench.image).subarray(0, 4096)),
    chunksMax: 1,
  },
  'punching a hole': { change: (bench) => bench.io('fpunch 9m 100k'), chunksMax: 2 },
  'filling a hole': { change: (bench) => bench.write(3 * mebibyte, randomBytes(70_000)), chunksMax: 2 },
  'cutting off and growing again': {
    change: (bench) => {
      truncateSync(bench.image, 17 * mebibyte + 100)
      truncateSync(bench.image, sizeBytes)
    },
    chunksMax: 120,
  },
  'writing past the cache': {
    change: (bench) => bench.io(`open -d ${bench.image}`, 'pwrite -S 0x5a 6m 64k'),
    chunksMax: 1,
  },
  'writing through memory': {
    change: (bench) => bench.io('mmap -rw 0 24m', 'mwrite -S 0x77 5m 4k', 'mwrite -S 0x78 16m 4k'),
    // The system writes pages back in large pieces.
    chunksMax: 128,
  },
  'sharing a part with another place of the image': {
    change: (bench) => bench.io(`reflink ${bench.image} 0 9m 1m`, `reflink ${bench.image} 5m 20m 64k`),
    chunksMax: 17,
  },
  'exchanging two parts': {
    change: (bench) => {
      run('cp', '--reflink=always', bench.image, `${bench.image}.aside`)
      bench.io(`reflink ${bench.image}.aside 0 5m 1m`, `reflink ${bench.image}.aside 5m 0 1m`)
      rmSync(`${bench.image}.aside`)
    },
    chunksMax: 32,
  },
  'taking bytes out and putting others in': {
    change: (bench) => bench.io('fcollapse 1m 64k', 'finsert 2m 64k'),
    chunksMax: 400,
    only: 'xfs',
  },
  defragmenting: {
    change: (bench) => {
      run('btrfs', 'filesystem', 'defragment', '-f', bench.image)
    },
    chunksMax: 400,
    only: 'btrfs',
  },
  'moving everything on the disk': {
    change: (bench) => {
      run('btrfs', 'balance', 'start', '-d', bench.folder)
    },
    chunksMax: 400,
    only: 'btrfs',
  },
  'another file in its place': {
    change: (bench) => {
      const other = `${bench.image}.other`
      writeFileSync(other, randomBytes(sizeBytes))
      renameSync(other, bench.image)
    },
    chunksMax: 400,
  },
  'a plain copy in its place': {
    change: (bench) => {
      const other = `${bench.image}.other`
      run('cp', '--reflink=never', '--sparse=always', bench.image, other)
      renameSync(other, bench.image)
    },
    chunksMax: 400,
  },
  'another time of change': {
    change: (bench) => utimesSync(bench.image, new Date(), new Date()),
    chunksMax: 0,
  },
  // From here on btrfs has blocks of which it says more than that they are shared.
  'allocating without writing': { change: (bench) => bench.io('falloc 20m 1m'), chunksMax: 17 },
  zeroing: { change: (bench) => bench.io('fzero 10m 128k'), chunksMax: 20 },
  'defragmenting with compression': {
    change: (bench) => {
      run('btrfs', 'filesystem', 'defragment', '-f', '-czstd', bench.image)
    },
    chunksMax: 400,
    only: 'btrfs',
  },
}

for (const kind of fileSystems) {
  test(`on ${kind} every revision is what the image is, however it was changed, and what nobody touched is not read`, async (t) => {
    await withTrackedImage(t, kind, async (bench) => {
      await bench.backUp()
      await bench.backUp()
      assert.equal(bench.unread, chunkCount, 'nothing was changed')
      let tried = 0
      for (const [name, { change, chunksMax, only = kind }] of Object.entries(changes)) {
        if (only !== kind) continue
        change(bench)
        await bench.backUp().catch((error) => assert.fail(`${name}: ${error}`))
        assert.ok(
          bench.unread >= chunkCount - chunksMax,
          `${name}: ${chunkCount - bench.unread} chunks were read`,
        )
        assert.equal(bench.copies.length, 1, `${name}: one copy is kept`)
        tried++
      }
      assert.ok(tried > 15)
    })
  })
}

test('parts of one compressed extent that change their places on btrfs are read, although the system names the same place for both', async (t) => {
  await withTrackedImage(t, 'btrfs', async (bench) => {
    const lines = Array.from({ length: 20_000 }, (_none, line) => `line ${line} of a text\n`).join('')
    rmSync(bench.image)
    writeFileSync(bench.image, '')
    run('btrfs', 'property', 'set', bench.image, 'compression', 'zstd')
    writeFileSync(bench.image, lines.slice(0, 256 * 1024))
    run('sync', '-f', bench.image)
    await bench.backUp()
    bench.io(`reflink ${bench.image} 64k 0 64k`)
    await bench.backUp()
    assert.equal(bench.said('only what has changed').length, 1)
  })
})

/** What is done to a kept copy and what is known of it, and why everything is read then. */
const refusals: Record<string, { change: (bench: TrackedImage) => Promise<void> | void; why: RegExp }> = {
  'the copy was written to, and its blocks given to the image': {
    change: (bench) => {
      const [copy = ''] = bench.copies
      bench.write(5 * mebibyte, randomBytes(mebibyte), copy)
      bench.io(`reflink ${copy} 5m 5m 1m`)
    },
    why: /cannot be used: somebody has touched it/,
  },
  'the copy was put back from elsewhere, with its times': {
    change: (bench) => {
      const [copy = ''] = bench.copies
      run('cp', '--reflink=always', '--preserve=all', copy, `${copy}.back`)
      renameSync(`${copy}.back`, copy)
    },
    why: /it is another file/,
  },
  'the copy is gone': { change: ({ copies: [copy = ''] }) => rmSync(copy), why: /it is gone/ },
  'the volume has another size': {
    change: (bench) => truncateSync(bench.image, sizeBytes + mebibyte),
    why: /has another size/,
  },
  'the server wants other chunks': {
    change: (bench) => {
      bench.agent.server.chunkSizeBytes = 2 * chunkSizeBytes
    },
    why: /chunks of another size/,
  },
  'the ids were changed': {
    change: (bench) => {
      const [ids = ''] = bench.records.filter((path) => path.endsWith('.ids'))
      bench.write(0, Buffer.alloc(32, 7), ids)
    },
    why: /what is known of it is damaged/,
  },
  'what was in use is gone': {
    change: (bench) => rmSync(bench.records.find((path) => path.endsWith('.in-use')) ?? ''),
    why: /what is known of it is damaged/,
  },
  'the record was changed': {
    change: (bench) =>
      writeFileSync(bench.records.find((path) => path.endsWith('.json')) ?? '', '{"copy":{}}'),
    why: /no copy of the volume was kept/,
  },
  'the agent is for another computer': {
    change: async (bench) => {
      await bench.stopAgent()
      const { url } = bench.agent.server
      await bench.agent.start({ membership: { serverUrls: [url], account: 'acme', computer: '0002' } })
    },
    why: /no copy of the volume was kept/,
  },
}

test('everything is read, and the log says why, when anything about a kept copy is not as it was left', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    let tried = 0
    for (const [name, { change, why }] of Object.entries(refusals)) {
      await goesOnAfter(bench, () => change(bench))
      assert.equal(bench.said('change tracking is not used').length, 1, name)
      assert.match(bench.said('change tracking is not used').join(''), why, name)
      assert.ok(bench.copies.length <= 1, `${name}: ${bench.copies}`)
      tried++
    }
    assert.equal(tried, Object.keys(refusals).length)
  })
})

test('no thread is started for the little that was changed, only for all of an image', async (t) => {
  const started = countThreads(t)
  await withTrackedImage(t, 'xfs', async (bench) => {
    await endThreads()
    await bench.backUp()
    assert.equal(started(), 2)
    await endThreads()
    bench.write(3 * mebibyte, randomBytes(mebibyte))
    await bench.backUp()
    assert.equal(started(), 2)
    assert.equal(bench.unread, chunkCount - 16)
  })
})

test('an image that is put back to what its kept copy holds is not read', async (t) => {
  await withTrackedImage(t, 'btrfs', async (bench) => {
    await goesOnAfter(bench, () => {
      bench.write(0, randomBytes(mebibyte))
      const [copy = ''] = bench.copies
      rmSync(bench.image)
      run('cp', '--reflink=always', copy, bench.image)
      assert.equal(statSync(copy).mode & 0o777, 0o400, 'nobody else reads it')
    })
    assert.equal(bench.unread, chunkCount)
  })
})

test('what the server no longer has is read and sent again', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { chunks } = bench.agent.server
    await goesOnAfter(bench, () => {
      for (const [number, id] of [...chunks.keys()].entries()) if (number % 3 === 0) chunks.delete(id)
    })
    const stored = chunks.size
    assert.equal(stored, 12 * 16)
    assert.equal(bench.unread, chunkCount - stored / 3)
  })
})

test('what a file system inside begins or ceases to use is read again, although nobody wrote there', async (t) => {
  if (!hasTools(t, 'mke2fs', 'debugfs')) return
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { server } = bench.agent
    const content = join(bench.agent.directory, 'content')
    mkdirSync(content)
    for (const name of ['one', 'two']) writeFileSync(join(content, name), randomBytes(2 * mebibyte))
    writeFileSync(bench.image, randomBytes(24 * mebibyte))
    run('mke2fs', '-q', '-F', '-t', 'ext4', '-E', 'nodiscard', '-d', content, bench.image)
    const idsAfter = async (id: string) =>
      server.revisions.get(await server.backUp(id, { path: bench.image }))?.ids
    const inode = /Inode: (\d+)/.exec(run('debugfs', '-R', 'stat one', bench.image))?.[1]
    await idsAfter('first')
    let tried = 0
    // They write to inodes, a folder and bitmaps; the content of the file lies where it lay.
    for (const request of ['rm one', `undel <${inode}> one`]) {
      run('debugfs', '-w', '-R', request, bench.image)
      const tracked = await idsAfter(`tracked-${tried}`)
      assert.ok(bench.unread > 0, 'some of it was not read')
      rmSync(bench.records.find((path) => path.endsWith('.json')) ?? '')
      assert.deepEqual(tracked, await idsAfter(`whole-${tried}`), request)
      tried++
    }
    assert.equal(tried, 2)
    const { metadata } = server.revisions.get(server.revisions.size) ?? assert.fail('there are revisions')
    assert.equal(metadata.volume.unusedLeftOut, true)
    const zeros = Buffer.alloc(32)
    const inUse = (revision: number) =>
      Array.from({ length: 24 * 16 }, (_none, index) => {
        const ids = server.revisions.get(revision)?.ids ?? zeros
        return !ids.subarray(index * 32, index * 32 + 32).equals(zeros)
      }).filter(Boolean).length
    assert.ok(inUse(2) < inUse(1), 'the content of a removed file is left out')
    assert.equal(inUse(4), inUse(1), 'and is there again when the file is')
  })
})

test('every so often everything is read, and what was known is held against it', async (t) => {
  const overrides = { backup: { tracking: { fullReadEvery: 3 } } }
  const kinds = async (bench: TrackedImage, backups: number) => {
    for (let backup = 0; backup < backups; backup++) await bench.backUp()
    return bench.said('"isToBeChecked"').map((line) => /"isToBeChecked":(\w+)/.exec(line)?.[1] === 'true')
  }
  await withTrackedImage(
    t,
    'xfs',
    async (bench) => {
      assert.deepEqual(await kinds(bench, 7), [false, false, true, false, false, true])
    },
    overrides,
  )
})

test('a difference from what was taken for unchanged is an error, and changes are not tracked any more', async (t) => {
  await withTrackedImage(
    t,
    'xfs',
    async (bench) => {
      await bench.backUp()
      const [recordPath = ''] = bench.records.filter((path) => path.endsWith('.json'))
      const [idsPath = ''] = bench.records.filter((path) => path.endsWith('.ids'))
      // As if a file system had not told of a change: the id of the second chunk is that of the first.
      const ids = readFileSync(idsPath)
      ids.copyWithin(32, 0, 32)
      writeFileSync(idsPath, ids)
      const sha256 = createHash('sha256').update(ids).digest('hex')
      const record = readFileSync(recordPath, 'utf8').replace(/("sha256":")[^"]*/, `$1${sha256}`)
      writeFileSync(recordPath, record)
      const { server } = bench.agent
      const outcome = server.outcomeOf('wrong')
      server.start({ type: 'start-backup', id: 'wrong', source: { path: bench.image } })
      const ended = await outcome
      assert.ok(ended.state === 'ERROR')
      assert.equal(ended.code, 'VerificationFailed')
      assert.match(
        ended.message,
        /revision 2 of .* differs in 1 chunks .* first at byte 65536\. .*not tracked any more/,
      )
      assert.ok(revisionContent(server, 2).equals(readFileSync(bench.image)), 'what was read is right')
      assert.deepEqual(bench.copies, [])
      await bench.backUp()
      assert.deepEqual(bench.copies, [], 'nothing is kept')
      await bench.stopAgent()
      await bench.agent.start()
      assert.match(bench.said('--track-changes says so').join(''), /"level":50.*differs in 1 chunks/)
      rmSync(join(bench.agent.stateDirectory, 'kept', 'refused.json'))
      await bench.backUp()
      assert.equal(bench.copies.length, 1, 'until somebody removes the file')
    },
    { backup: { tracking: { fullReadEvery: 1 } } },
  )
})

test('a backup that fails keeps the copy of the one before', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await goesOnAfter(bench, async () => {
      const { server } = bench.agent
      const before = [bench.copies, bench.records]
      bench.write(0, randomBytes(9000))
      server.interfere = (request, response) => {
        if (!request.url?.endsWith('/commit')) return false
        response.writeHead(404).end('no')
        return true
      }
      await assert.rejects(bench.backUp())
      server.interfere = () => false
      assert.deepEqual([bench.copies, bench.records], before)
    })
    assert.equal(bench.unread, chunkCount - 1)
  })
})

test('a copy is not kept where room is short, and neither is the one before', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    run('fallocate', '-l', '520M', join(bench.folder, 'filling'))
    await bench.backUp()
    assert.match(bench.said('the copy is not kept').join(''), /less than a tenth of its file system is free/)
    assert.deepEqual([bench.copies, bench.records], [[], []])
    rmSync(join(bench.folder, 'filling'))
    await bench.backUp()
    assert.equal(bench.copies.length, 1)
  })
})

test('when the disk is full while a copy is to be kept, neither it nor the one before is, and the backup is a success', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.stopAgent()
    await whileMounted(t, 'none', ['mount', '-t', 'tmpfs', '-o', 'nr_inodes=60,mode=700'], async (folder) => {
      await bench.agent.start({ stateDirectory: folder })
      await bench.backUp()
      assert.equal(bench.copies.length, 1)
      await eventually('the acknowledgement', () => readdirSync(join(folder, 'journal')).length === 0)
      const fillers = fillUp(folder)
      // For the record of the snapshot and the ids that are being collected; nothing is left for what was in use.
      for (const path of fillers.slice(0, 2)) rmSync(path)
      await bench.backUp()
      assert.match(bench.said('the copy is not kept').join(''), /ENOSPC/)
      assert.deepEqual([bench.copies, readdirSync(join(folder, 'kept'))], [[], []])
      for (const path of fillers) rmSync(path, { force: true })
      await bench.backUp()
      assert.equal(bench.copies.length, 1)
      await eventually('the acknowledgement', () => readdirSync(join(folder, 'journal')).length === 0)
      await bench.agent.stop()
    })
  })
})

/** Makes files until there is no room for another. */
function fillUp(folder: string): readonly string[] {
  const files: string[] = []
  for (;;) {
    const path = join(folder, `filler-${files.length}`)
    try {
      writeFileSync(path, '')
    } catch {
      return files
    }
    files.push(path)
  }
}

test('an agent that no longer tracks changes removes what it has kept when it starts', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    const strange = join(bench.folder, '.palisade-agent', 'of-somebody-else')
    writeFileSync(strange, '')
    await bench.stopAgent()
    await bench.agent.start({ backup: { tracking: undefined } })
    assert.deepEqual([bench.copies, bench.records], [[strange], []])
    await bench.backUp()
    assert.deepEqual(bench.copies, [strange])
  })
})

test('the copy of a volume that was not backed up for long is removed', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    await bench.stopAgent()
    const path = bench.records.find((name) => name.endsWith('.json')) ?? ''
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/"keptAtMs":\d+/, `"keptAtMs":${Date.now() - 41 * 86_400_000}`),
    )
    await bench.agent.start()
    assert.deepEqual([bench.copies, bench.records], [[], []])
    assert.equal(bench.said('was not backed up for long').length, 1)
  })
})

test('copies that no record names any more are removed by the next backup of their volume', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    await bench.stopAgent()
    rmSync(join(bench.agent.stateDirectory, 'kept'), { recursive: true })
    await bench.agent.start()
    await bench.backUp()
    assert.equal(bench.copies.length, 1)
  })
})

test('a folder that others can look into gets no copies', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    mkdirSync(join(bench.folder, '.palisade-agent'), { mode: 0o755 })
    await bench.backUp()
    assert.deepEqual(bench.copies, [])
    assert.match(bench.said('are not tracked').join(''), /is not a folder of this user alone/)
  })
})

test('an image on another file system is backed up without, and the log says so', async (t) => {
  const agent = await TestAgent.start(t, { backup: { tracking: { fullReadEvery: 1000 } } })
  if (await knowsPlaces(agent.directory)) {
    t.skip('the file system of the tests shares blocks')
    return
  }
  const bench = new TrackedImage(agent, agent.directory)
  await bench.backUp()
  assert.match(bench.said('are not tracked').join(''), /neither on XFS nor on btrfs/)
  assert.deepEqual(bench.copies, [])
})

test('all copies are removed for an agent that is to be removed, and not under one that runs', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    const { stateDirectory } = bench.agent
    const command = ['--remove-copies', '--state', stateDirectory, '--log-level', 'silent']
    assert.equal(await agentCommand(command), 1)
    assert.equal(bench.copies.length, 1)
    await bench.stopAgent()
    assert.equal(await agentCommand(command), 0)
    assert.ok(!existsSync(join(bench.folder, '.palisade-agent')))
    assert.deepEqual(bench.records, [])
  })
})
