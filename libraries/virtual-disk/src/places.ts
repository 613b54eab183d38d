/**
 * Where the bytes of a planned disk are in its file, and putting them there. Threads that write disks take it from here
 * (`@palisade/virtual-disk/places`), without what plans, reads and checks disks.
 */
export type { DiskPlan } from './disk/disk-plan.ts'
export { placesOf } from './disk/place.ts'
export { writeDiskData } from './write/disk-file.ts'
