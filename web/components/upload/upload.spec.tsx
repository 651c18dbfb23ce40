import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toast } from '@/lib/toast'
import { Upload, useUploadRows, type UploadProps } from './upload.tsx'
import { createUploads } from './uploads.ts'

type Sent = {
  readonly name: string
  readonly signal: AbortSignal
  readonly progress: (fraction: number) => Promise<void>
  readonly succeed: () => Promise<void>
  readonly fail: (reason: string) => Promise<void>
}

/** An upload area whose requests the test answers. */
function open(props: Partial<UploadProps<string>> = {}) {
  const uploads = createUploads<string>()
  const sent: Sent[] = []
  const stored: string[] = []
  const send: UploadProps<string>['send'] = (file, onProgress, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      sent.push({
        name: file.name,
        signal,
        progress: (fraction) => act(async () => onProgress(fraction)),
        succeed: () => act(async () => resolve(file.name)),
        fail: (reason) => act(async () => reject(new Error(reason))),
      })
    })
  const Files = () => (
    <Upload
      uploads={uploads}
      slot="files"
      rows={useUploadRows(uploads, 'files')}
      label="Choose files"
      accept={['image/png']}
      multiple
      send={send}
      explain={(error) => (error instanceof Error ? error.message : '')}
      onUploaded={(file) => stored.push(file)}
      {...props}
    >
      Drop files here
    </Upload>
  )
  render(<Files />)
  const request = (name: string): Sent => {
    const found = sent.findLast((one) => one.name === name)
    if (found === undefined) throw new Error(`${name} was not sent`)
    return found
  }
  return { uploads, sent: () => sent.map(({ name }) => name), stored, request }
}
const choose = (...names: readonly string[]) =>
  userEvent.upload(
    screen.getByLabelText('Choose files'),
    names.map((name) => new File(['x'.repeat(2000)], name, { type: 'image/png' })),
  )
const rows = () =>
  within(screen.getByRole('list', { name: 'Files' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const bar = (name: string) => screen.getByRole('progressbar', { name: `Uploading ${name}` })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('uploading several files', () => {
  it('shows the progress of each, and hands over the stored ones', async () => {
    const { request, stored, uploads } = open()
    await choose('a.png', 'b.png')
    await request('a.png').progress(0.25)
    await request('b.png').progress(0.5)
    expect([bar('a.png'), bar('b.png')].map((each) => each.getAttribute('aria-valuenow'))).toEqual(['25', '50'])
    await request('b.png').succeed()
    expect(stored).toEqual(['b.png'])
    expect(uploads.count()).toBe(1)
    await request('a.png').succeed()
    expect(rows()).toEqual(['a.png2 KBUploaded', 'b.png2 KBUploaded'])
    expect(uploads.count()).toBe(0)
    await press('Clear the list')
    expect(screen.queryByRole('list')).toBeNull()
  })

  it('sends at most three at the same time, and the others as these end', async () => {
    const { sent, request, uploads } = open()
    await choose('a.png', 'b.png', 'c.png', 'd.png', 'e.png')
    expect(sent()).toEqual(['a.png', 'b.png', 'c.png'])
    expect(rows().slice(3)).toEqual(['d.png2 KBWaiting', 'e.png2 KBWaiting'])
    expect(uploads.count()).toBe(5)
    await request('b.png').succeed()
    expect(sent()).toEqual(['a.png', 'b.png', 'c.png', 'd.png'])
    await request('a.png').fail('Too large')
    expect(sent()).toEqual(['a.png', 'b.png', 'c.png', 'd.png', 'e.png'])
  })

  it('says why a file was refused, and uploads it again on request', async () => {
    const { sent, request, stored } = open()
    await choose('a.png', 'b.png')
    await request('a.png').fail('Too large')
    await request('b.png').succeed()
    expect(rows()).toEqual(['a.png2 KBToo large', 'b.png2 KBUploaded'])
    expect(screen.getByRole('alert')).toHaveTextContent('a.png: Too large')
    await press('Upload a.png again')
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    await request('a.png').succeed()
    expect(sent()).toEqual(['a.png', 'b.png', 'a.png'])
    expect(stored).toEqual(['b.png', 'a.png'])
  })

  it('cancels a file that is uploading or waiting', async () => {
    const { sent, request, uploads, stored } = open({ atOnce: 1 })
    await choose('a.png', 'b.png', 'c.png')
    await press('Stop uploading b.png')
    await press('Stop uploading a.png')
    expect(request('a.png').signal.aborted).toBe(true)
    expect(sent()).toEqual(['a.png', 'c.png'])
    expect(rows()).toEqual(['c.png2 KB'])
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    await request('c.png').succeed()
    expect(stored).toEqual(['c.png'])
    expect(uploads.count()).toBe(0)
  })

  it('removes a refused file from the list', async () => {
    const { request } = open()
    await choose('a.png')
    await request('a.png').fail('Too large')
    await press('Remove a.png from the list')
    expect(screen.queryByRole('list')).toBeNull()
  })

  it('forgets the ended files when others are chosen', async () => {
    const { request } = open()
    await choose('a.png', 'b.png')
    await request('a.png').fail('Too large')
    await choose('c.png')
    expect(rows()).toEqual(['b.png2 KB', 'c.png2 KB'])
  })
})

describe('the uploads of a page', () => {
  const never = (_: unknown, signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  const explain = () => 'no'
  const file = new File([], 'a.png')

  it('the uploads of a page count a cancelled file until its request has ended', async () => {
    const uploads = createUploads()
    uploads.add('a', [{ file, send: () => Promise.reject(new Error('lost')), explain }], 1)
    uploads.add('b', [{ file, send: never, explain }], 1)
    expect(uploads.count()).toBe(2)
    await Promise.resolve()
    expect(uploads.count()).toBe(1)
    expect(uploads.rowsOf('a')).toMatchObject([{ state: 'refused', reason: 'no' }])
    uploads.cancelAll()
    expect(uploads.count()).toBe(1)
    await Promise.resolve()
    expect(uploads.count()).toBe(0)
    expect(uploads.rowsOf('b')).toEqual([])
  })
})

describe('a dropped folder', () => {
  const drop = (...inner: readonly object[]) => {
    const left = [...inner]
    const entry = {
      name: 'banners',
      isDirectory: true,
      createReader: () => ({ readEntries: (resolve: (part: readonly object[]) => void) => resolve(left.splice(0)) }),
    }
    const items = [{ kind: 'file', webkitGetAsEntry: () => entry }]
    fireEvent.drop(screen.getByLabelText('Choose files'), { dataTransfer: { items, files: [] } })
  }
  const file = { name: 'a.png', isFile: true, file: (resolve: (file: File) => void) => resolve(new File(['x'], 'a.png')) }
  const gone = { name: 'gone.png', isFile: true, file: (_: unknown, reject: (error: Error) => void) => reject(new Error('gone')) }
  afterEach(() => void vi.restoreAllMocks())

  it('sends its files, and says which could not be read', async () => {
    const said = vi.spyOn(toast, 'error')
    const { sent } = open({ accept: [] })
    drop(gone, file)
    await waitFor(() => expect(sent()).toEqual(['a.png']))
    expect(said.mock.calls).toEqual([['1 file could not be read. Drop it again.', { description: 'gone.png' }]])
  })

  it('says when it is empty', async () => {
    const said = vi.spyOn(toast, 'error')
    open()
    drop()
    await waitFor(() => expect(said.mock.calls).toEqual([['There are no files in this folder.']]))
  })
})
