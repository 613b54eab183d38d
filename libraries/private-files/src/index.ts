export { OpenToOthers, type PermittedReaders, refuseOpenFolder, refuseOpenMode } from './open-to-others.ts'
export { mayBeReadByOthers, readPrivateFile, readUnforgedFile } from './read-private-file.ts'
export { systemCode } from './system-code.ts'
