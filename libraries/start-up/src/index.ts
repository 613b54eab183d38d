export { describe } from './describe.ts'
export { FolderFailure, folderFailureOf, makeFolder, makePrivateFolder } from './make-folder.ts'
export { nearestName } from './nearest-name.ts'
export { readOptions, UsageError } from './options.ts'
export { ownVersion } from './own-version.ts'
export { placeInJson } from './place-in-json.ts'
export {
  FileFailure,
  fileFailureOf,
  readCertificates,
  readNamedFile,
  whyUnreadable,
} from './read-named-file.ts'
export { whyNotListening } from './why-not-listening.ts'
