import { expect, it } from 'vitest'
import { droppedFiles, hasFolder, MOST_FILES } from './dropped-files.ts'

/** Entries as a browser gives them: a folder answers in parts of two. */
const file = (name: string, isGone = false) => ({
  name,
  isFile: true,
  file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
    isGone ? reject(new Error('NotFoundError')) : resolve(new File(['x'], name)),
})
const folder = (name: string, inner: readonly object[]) => ({
  name,
  isDirectory: true,
  createReader: () => {
    const left = [...inner]
    return { readEntries: (resolve: (part: readonly object[]) => void) => resolve(left.splice(0, 2)) }
  },
})
const drop = (...entries: readonly object[]) =>
  ({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }) as unknown as DataTransfer
const names = (files: readonly File[]) => files.map(({ name }) => name)

it('takes every file of dropped folders, without hidden ones', async () => {
  const dropped = drop(
    folder('a', [file('1.png'), file('.DS_Store'), folder('b', [file('2.png')]), file('3.png')]),
    file('4.png'),
  )
  expect(hasFolder(dropped)).toBe(true)
  const { files, unread } = await droppedFiles(dropped)
  expect(names(files)).toEqual(['1.png', '2.png', '3.png', '4.png'])
  expect(unread).toEqual([])
})

it('keeps the other files of a drop when one cannot be read, and names it', async () => {
  const { files, unread } = await droppedFiles(drop(folder('a', [file('1.png'), file('gone.png', true), file('2.png')])))
  expect(names(files)).toEqual(['1.png', '2.png'])
  expect(unread).toEqual(['gone.png'])
})

it('stops reading after one file more than a drop takes', async () => {
  const many = Array.from({ length: MOST_FILES + 50 }, (_, n) => file(`${n}.png`))
  expect((await droppedFiles(drop(folder('a', many)))).files).toHaveLength(MOST_FILES + 1)
})
