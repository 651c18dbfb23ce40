import { act, waitFor } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'
import type { StoredFile } from '#contract/files'

type Listener = (event: { lengthComputable: boolean; loaded: number; total: number }) => void

/** A request that answers when the test calls for it. */
class FakeRequest {
  status = 0
  responseText = ''
  method = ''
  body = new FormData()
  url = ''
  aborted = false
  ended = false
  readonly listeners = new Map<string, Listener>()
  readonly progress: Listener[] = []
  readonly upload = { addEventListener: (_: 'progress', listener: Listener) => void this.progress.push(listener) }
  private readonly sent: (request: FakeRequest) => void

  constructor(sent: (request: FakeRequest) => void) {
    this.sent = sent
  }
  open(method: string, url: string) {
    this.method = method
    this.url = url
  }
  setRequestHeader() {}
  getResponseHeader() {
    return null
  }
  addEventListener(type: string, listener: Listener) {
    this.listeners.set(type, listener)
  }
  send(body: FormData) {
    this.body = body
    this.sent(this)
  }
  abort() {
    this.aborted = true
    this.emit('abort')
  }
  emit(type: string) {
    this.ended = true
    this.listeners.get(type)?.({ lengthComputable: true, loaded: 0, total: 0 })
  }
}

/** The server's answer to an accepted file. */
export const taken = (file: Partial<StoredFile> = {}): StoredFile => ({
  file_id: 'file-1',
  file_url: '/v1/file/cache/file-1',
  width: null,
  height: null,
  size: 2048,
  content_type: 'image/png',
  format_key: 1,
  duration: null,
  frame_rate: null,
  bit_rate: null,
  name: 'picture.png',
  preview_url: null,
  warnings: [],
  position: '0',
  ...file,
})

/** Replaces the network of uploads until the test ends. Each upload waits for the test to answer it, and is answered once. */
export function fakeUploads() {
  const requests: FakeRequest[] = []
  vi.stubGlobal('XMLHttpRequest', function make() {
    return new FakeRequest((request) => requests.push(request))
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  /** The last that waits for an answer. The file of a click may still be read: then this waits until it is sent. */
  const current = () =>
    waitFor(() => {
      const request = requests.findLast(({ ended }) => !ended)
      if (request === undefined) throw new Error('nothing waits for an answer')
      return request
    })
  const end = async (type: 'load' | 'error', status = 0, body: unknown = null) => {
    const request = await current()
    await act(async () => {
      request.status = status
      request.responseText = JSON.stringify(body)
      request.emit(type)
      await Promise.resolve()
    })
  }
  return {
    sent: () => requests.map(({ method, url }) => `${method} ${url}`),
    aborted: () => requests.filter(({ aborted }) => aborted).length,
    progress: async (loaded: number, total: number) => {
      const request = await current()
      act(() => request.progress.forEach((emit) => emit({ lengthComputable: true, loaded, total })))
    },
    /** The additional fields of the last file. */
    fields: async () => Object.fromEntries((await current()).body),
    /** For answers other than a stored file. */
    answer: (data: unknown) => end('load', 200, { type: { code: 0, key: 'OK', message: 'OK' }, data }),
    succeed: (file: Partial<StoredFile> = {}) =>
      end('load', 200, { type: { code: 0, key: 'OK', message: 'OK' }, data: taken(file) }),
    refuse: (code: number, message: string, faults: readonly object[] = []) =>
      end('load', 400, { type: { code, key: 'refused', message }, data: { errors: faults } }),
    lose: () => end('error'),
  }
}

/** Sets the size that browsers read from images. */
export function picturesOf(width: number, height: number): void {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width, height, close: () => {} }))
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Sets the size that browsers read from videos. */
export function filmsOf(width: number, height: number): void {
  vi.spyOn(HTMLMediaElement.prototype, 'src', 'set').mockImplementation(function ready(this: HTMLMediaElement) {
    Object.defineProperties(this, { videoWidth: { value: width }, videoHeight: { value: height } })
    queueMicrotask(() => this.dispatchEvent(new Event('loadedmetadata')))
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

/** Lets videos play, and be drawn as this picture. */
export function framesAre(dataUrl: string): void {
  filmsOf(640, 360)
  vi.spyOn(HTMLMediaElement.prototype, 'currentTime', 'set').mockImplementation(function sought(this: HTMLMediaElement) {
    queueMicrotask(() => this.dispatchEvent(new Event('seeked')))
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue(dataUrl)
}

/** `content`: files of the same content are duplicates. */
export const fileOf = (name: string, type: string, bytes = 10, content = name): File => {
  const file = new File([content], name, { type })
  Object.defineProperty(file, 'size', { value: bytes })
  return file
}
