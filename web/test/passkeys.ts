import { onTestFinished, vi } from 'vitest'

/** Gives the browser passkeys, whose user gives up each time that the browser asks. */
export function withPasskeys(): void {
  vi.stubGlobal('PublicKeyCredential', vi.fn())
  const own = Object.getOwnPropertyDescriptor(navigator, 'credentials')
  const giveUp = () => Promise.reject(new DOMException('given up', 'NotAllowedError'))
  Object.defineProperty(navigator, 'credentials', { value: { create: giveUp, get: giveUp }, configurable: true })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'credentials')
    if (own !== undefined) Object.defineProperty(navigator, 'credentials', own)
  })
}
