/**
 * Where the bytes of a planned disk are in its file, and putting them there. Threads that write disks take it from here
 * (`@palisade/virtual-disk/places`), without what plans, reads and checks disks.
 */
export type { DiskPlan } from './plan/disk-plan.ts'
export { placesOf } from './plan/place.ts'
export { writeDiskData } from './write/disk-file.ts'
