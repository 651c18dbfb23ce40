import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isDialogOpen } from './keys.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { ShortcutHint } from './shortcut-hint.tsx'
import { activeShortcuts, runShortcut, useShortcuts, type Shortcut } from './shortcuts.ts'
import { setSingleKeys } from './single-keys.ts'

function Screen({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }) {
  useShortcuts(shortcuts)
  return (
    <>
      <input aria-label="name" />
      <input aria-label="agreed" type="checkbox" />
      <button type="button">
        Approve <ShortcutHint keys="a" />
      </button>
    </>
  )
}

const shortcut = (patch: Partial<Omit<Shortcut, 'run'>> = {}) => ({
  id: 'approve',
  label: 'Approve',
  keys: ['a'],
  run: vi.fn(),
  ...patch,
})
const LISTBOX = { role: 'listbox' }
const DIALOG = { role: 'dialog' }
const press = (init: KeyboardEventInit, on: Element = document.body) => fireEvent.keyDown(on, init)

describe('shortcuts', () => {
  afterEach(() => setSingleKeys(true))

  it('shortcuts run the handler registered last, until it is unmounted', () => {
    const first = shortcut()
    const second = shortcut()
    const { rerender, unmount } = render(<Screen shortcuts={[first]} />)
    rerender(<Screen shortcuts={[second]} />)
    press({ key: 'a', code: 'KeyA' })
    expect([first.run, second.run].map((run) => run.mock.calls.length)).toEqual([0, 1])
    unmount()
    press({ key: 'a', code: 'KeyA' })
    expect(second.run).toHaveBeenCalledOnce()
    expect(activeShortcuts()).toEqual([])
  })

  it('shortcuts prefer the innermost of two handlers for one key', () => {
    const far = shortcut()
    const near = shortcut({ id: 'archive' })
    render(<Screen shortcuts={[far]} />)
    render(<Screen shortcuts={[near]} />)
    press({ key: 'a' })
    expect([far.run, near.run].map((run) => run.mock.calls.length)).toEqual([0, 1])
  })

  it('shortcuts work on a keyboard with another alphabet', () => {
    const approve = shortcut()
    render(<Screen shortcuts={[approve]} />)
    press({ key: 'ф', code: 'KeyA' })
    expect(approve.run).toHaveBeenCalledOnce()
  })

  it('shortcuts ignore a hidden list, and are inactive while it is open', () => {
    const help = shortcut({ keys: ['?'] })
    const Page = ({ folded }: { readonly folded: boolean }) => (
      <>
        <Screen shortcuts={[help]} />
        <div hidden={folded}>
          <div {...LISTBOX} />
        </div>
      </>
    )
    const { rerender } = render(<Page folded />)
    press({ key: '?' })
    expect(help.run).toHaveBeenCalledOnce()
    rerender(<Page folded={false} />)
    press({ key: '?' })
    expect(help.run).toHaveBeenCalledOnce()
  })

  it('shortcuts count a held key once', () => {
    const approve = shortcut()
    render(<Screen shortcuts={[approve]} />)
    press({ key: 'a' })
    press({ key: 'a', repeat: true })
    expect(approve.run).toHaveBeenCalledOnce()
  })

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }])(
    'shortcuts leave the key with %o to the browser',
    (modifier) => {
      const approve = shortcut()
      render(<Screen shortcuts={[approve]} />)
      press({ key: 'a', ...modifier })
      expect(approve.run).not.toHaveBeenCalled()
    },
  )

  it('shortcuts are inactive in a text field, but not on a checkbox', () => {
    const approve = shortcut()
    render(<Screen shortcuts={[approve]} />)
    press({ key: 'a' }, screen.getByLabelText('name'))
    expect(approve.run).not.toHaveBeenCalled()
    press({ key: 'a' }, screen.getByLabelText('agreed'))
    expect(approve.run).toHaveBeenCalledOnce()
  })

  it('shortcuts with Ctrl work in a text field', () => {
    const send = shortcut({ keys: ['mod+enter'] })
    render(<Screen shortcuts={[send]} />)
    press({ key: 'Enter', ctrlKey: true }, screen.getByLabelText('name'))
    expect(send.run).toHaveBeenCalledOnce()
  })

  it('shortcuts work again while a dialog fades out, when its page has the focus already', () => {
    const letter = shortcut()
    const save = shortcut({ id: 'save', keys: ['mod+s'], when: () => !isDialogOpen() })
    render(
      <>
        <Screen shortcuts={[letter, save]} />
        <div {...DIALOG} aria-label="Search" data-state="open" />
      </>,
    )
    const both = () => {
      press({ key: 'a', code: 'KeyA' })
      press({ key: 's', code: 'KeyS', ctrlKey: true })
      return [letter, save].map(({ run }) => run.mock.calls.length)
    }
    expect(both()).toEqual([0, 0])
    screen.getByRole('dialog').dataset['state'] = 'closed'
    expect(both()).toEqual([1, 1])
  })

  it('shortcuts are inactive while a dialog is open', async () => {
    const approve = shortcut()
    render(
      <>
        <Screen shortcuts={[approve]} />
        <ShortcutHelp />
      </>,
    )
    press({ key: '?', code: 'Slash', shiftKey: true })
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    press({ key: 'a' })
    expect(approve.run).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    press({ key: 'a' })
    expect(approve.run).toHaveBeenCalledOnce()
  })

  it('shortcuts that are unavailable are neither run nor listed', async () => {
    const idle = shortcut({ id: 'undo', label: 'Undo', keys: ['z'], when: () => false })
    render(
      <>
        <Screen shortcuts={[shortcut(), idle]} />
        <ShortcutHelp />
      </>,
    )
    press({ key: 'z' })
    runShortcut('undo')
    expect(idle.run).not.toHaveBeenCalled()
    press({ key: '?' })
    const listed = within(await screen.findByRole('list', { name: 'Keyboard shortcuts' })).getAllByRole('listitem')
    expect(listed.map(({ textContent }) => textContent)).toEqual(['ApproveA', 'Show this help?'])
  })

  it('shortcuts of single keys can be switched off permanently, together with their hints', async () => {
    const approve = shortcut()
    const save = shortcut({ id: 'save', keys: ['mod+s'] })
    render(
      <>
        <Screen shortcuts={[approve, save]} />
        <ShortcutHelp />
      </>,
    )
    expect(screen.getByText('A', { selector: 'button kbd' })).toBeVisible()
    press({ key: '?' })
    await userEvent.click(await screen.findByRole('switch', { name: 'Single-key shortcuts' }))
    await userEvent.keyboard('{Escape}')
    expect(localStorage.getItem('DSP_SINGLE_KEYS')).toBe('off')
    expect(screen.queryByText('A', { selector: 'button kbd' })).toBeNull()
    press({ key: 'a' })
    press({ key: '?' })
    expect(approve.run).not.toHaveBeenCalled()
    expect(screen.queryByRole('dialog')).toBeNull()
    press({ key: 's', ctrlKey: true })
    expect(save.run).toHaveBeenCalledOnce()
  })
})
