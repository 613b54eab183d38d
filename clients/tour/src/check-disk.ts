import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { openDisk, openFile, readPartitionTable } from '@palisade/virtual-disk'
