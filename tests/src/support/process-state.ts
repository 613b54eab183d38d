import { readdirSync, readFileSync } from 'node:fs'
import type { ProxyProcess } from './proxy.ts'

/** Processes of a proxy's workers that have become ready so far, in that order; those that have ended since are among them. */
export function workerPids(proxy: ProxyProcess): number[] {
  return [...proxy.program.output.matchAll(/"pid":(\d+),"msg":"a worker is ready"/g)].map(([, pid]) =>
    Number(pid),
  )
}

/** How many descriptors (files, connections) processes have open together. @throws Error when one of them has ended */
export function descriptorsOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => readdirSync(`/proc/${pid}/fd`).length)
}

/** The memory that processes hold together at the moment, in bytes. @throws Error when one of them has ended */
export function residentBytesOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => kibibytesOf(pid, 'VmRSS') * 1024)
}

/** The most memory that each process has held so far, added up, in bytes. @throws Error when one of them has ended */
export function peakBytesOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => kibibytesOf(pid, 'VmHWM') * 1024)
}

/** For what tests print. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}

function kibibytesOf(pid: number, member: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
}

function sumOf(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + of(pid), 0)
}
