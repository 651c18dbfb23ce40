import { render, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BannerFrame } from './banner-frame.tsx'

const SHOP = 'https://shop.example/sale'
const CLICK = { type: 'placard:click' }
/** Nothing is loaded here: the frame gets its own window. */
const OWN = {} as Window

/** Shows a banner. `report` sends a message as its window, just after a user clicked in it unless it says otherwise. */
function show(clickAddress: string | null | undefined) {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  render(
    <BannerFrame
      fileId="f-1"
      url={null}
      size={{ width: 300, height: 250 }}
      scale={1}
      name="leader"
      clickAddress={clickAddress}
    />,
  )
  const frame = screen.getByTitle<HTMLIFrameElement>('HTML banner leader')
  vi.spyOn(frame, 'contentWindow', 'get').mockReturnValue(OWN)
  onTestFinished(() => {
    opened.mockRestore()
    vi.unstubAllGlobals()
  })
  type Message = {
    readonly data?: unknown
    readonly source?: Window | null
    readonly active?: boolean
    readonly focused?: boolean
  }
  const report = ({ data = CLICK, source = OWN, active = true, focused = true }: Message) => {
    vi.stubGlobal('navigator', { userActivation: { isActive: active } })
    const focus = vi.spyOn(document, 'activeElement', 'get').mockReturnValue(focused ? frame : document.body)
    window.dispatchEvent(new MessageEvent('message', { data, source }))
    focus.mockRestore()
  }
  return { frame, opened, report }
}

describe('an HTML banner in a frame', () => {
  it('gets the click address of the campaign, which opens when it reports a click', () => {
    const { frame, opened, report } = show(SHOP)
    expect(frame).toHaveAttribute('src', `/v1/file/banner/f-1/index.html?clickTag=${encodeURIComponent(SHOP)}`)
    expect(frame).toHaveAttribute('sandbox', 'allow-scripts')
    report({})
    expect(opened.mock.calls).toEqual([[SHOP, '_blank', 'noopener,noreferrer']])
  })

  it('opens no address of its own', () => {
    const { opened, report } = show(SHOP)
    report({ data: { ...CLICK, address: 'https://own.example', url: 'https://own.example' } })
    expect(opened.mock.calls).toEqual([[SHOP, '_blank', 'noopener,noreferrer']])
  })

  it.each([
    ['another window', { source: window }],
    ['no window', { source: null }],
    ['a page that no user touched', { active: false }],
    ['a user who is elsewhere on the page', { focused: false }],
    ['another message', { data: { type: 'other' } }],
    ['a text', { data: 'placard:click' }],
    ['nothing', { data: null }],
  ] as const)('opens nothing for %s', (_, message) => {
    const { opened, report } = show(SHOP)
    report(message)
    expect(opened).not.toHaveBeenCalled()
  })

  it.each([[null], [undefined]])('opens nothing while its click address is %s', (address) => {
    const { frame, opened, report } = show(address)
    expect(frame).toHaveAttribute('src', '/v1/file/banner/f-1/index.html')
    report({})
    expect(opened).not.toHaveBeenCalled()
  })
})
