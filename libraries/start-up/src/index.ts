export { FolderFailure, folderFailureOf, makeFolder } from './make-folder.ts'
