/** Files of one drop. */
export const MOST_FILES = 200

/** True when something dropped is a folder: the browser itself takes only files. */
export const hasFolder = ({ items }: DataTransfer): boolean =>
  [...items].some((item) => item.webkitGetAsEntry()?.isDirectory === true)

/** `unread` names files and folders that the browser could not read, such as one that was removed meanwhile. */
export type Dropped = { readonly files: readonly File[]; readonly unread: readonly string[] }
type Collected = { readonly files: File[]; readonly unread: string[] }

/** Returns every dropped file and those in dropped folders, without hidden ones, and at most one more than a drop takes. Entries are only readable during the drop itself. */
export async function droppedFiles({ items }: DataTransfer): Promise<Dropped> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found: Collected = { files: [], unread: [] }
  for (const entry of entries) await collect(entry, found)
  return found
}

async function collect(entry: FileSystemEntry, into: Collected): Promise<void> {
  if (into.files.length > MOST_FILES || entry.name.startsWith('.')) return
  try {
    if (isFile(entry)) into.files.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)))
    else if (isFolder(entry)) for (const inner of await entriesOf(entry)) await collect(inner, into)
  } catch {
    into.unread.push(entry.name)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** A folder is read in parts; an empty part is its end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return all
    all.push(...part)
  }
}
