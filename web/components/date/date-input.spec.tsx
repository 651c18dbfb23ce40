import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLanguage } from '@/i18n/setup'
import { setClock } from '@/lib/clock'
import { DateInput } from './date-input.tsx'

const changed = vi.fn()
beforeEach(async () => {
  changed.mockClear()
  setClock(() => new Date(2026, 10, 24, 12).getTime())
  await chooseLanguage('en')
})

function Field({ start = '', min }: { readonly start?: string; readonly min?: string }) {
  const [value, setValue] = useState(start)
  const change = (next: string) => {
    changed(next)
    setValue(next)
  }
  return (
    <>
      <DateInput aria-label="Start" label="Start" value={value} onChange={change} {...(min !== undefined && { min })} />
      <button type="button">After</button>
    </>
  )
}

const input = () => screen.getByRole('textbox', { name: 'Start' })
const opened = async () => {
  await userEvent.click(screen.getByRole('button', { name: /Start/ }))
  return within(await screen.findByRole('dialog', { name: 'Start' }))
}

describe('the field of a day', () => {
  it('the field of a day that is empty shows how to write a day, and none', () => {
    render(<Field />)
    expect(input()).toHaveValue('')
    expect(input()).toHaveAttribute('placeholder', 'MM/DD/YYYY')
  })

  it.each([
    ['en', '11/25/2026', 'Nov 25, 2026'],
    ['ru', '25.11.2026', '25 нояб. 2026'],
  ] as const)('the field of a day in the language %s reads %s and shows %s', async (language, typed, shown) => {
    await chooseLanguage(language)
    render(<Field />)
    await userEvent.type(input(), typed)
    expect(changed).toHaveBeenLastCalledWith('2026-11-25')
    await userEvent.tab()
    expect(input()).toHaveValue(shown)
  })

  it('completes a year when it is left, and when Enter is pressed', async () => {
    render(<Field />)
    await userEvent.type(input(), '11/25/26')
    expect(changed).toHaveBeenLastCalledWith('11/25/26')
    await userEvent.tab()
    expect(changed).toHaveBeenLastCalledWith('2026-11-25')
    await userEvent.clear(input())
    await userEvent.type(input(), '1/2{Enter}')
    expect(changed).toHaveBeenLastCalledWith('2027-01-02')
  })

  it('keeps text that is no day', async () => {
    render(<Field />)
    await userEvent.type(input(), 'soon')
    await userEvent.tab()
    expect(input()).toHaveValue('soon')
    expect(changed).toHaveBeenLastCalledWith('soon')
  })

  it.each(['{Delete}', '{Backspace}'])('the field of a day is cleared with one key, %s', async (key) => {
    render(<Field start="2026-11-25" />)
    await userEvent.click(input())
    await userEvent.keyboard(key)
    expect(changed).toHaveBeenLastCalledWith('')
    expect(input()).toHaveValue('')
  })

  it('the field of a day is picked in a calendar whose weeks start on Monday, without the days before the first', async () => {
    await chooseLanguage('ru')
    render(<Field min="2026-11-24" />)
    const panel = await opened()
    expect((await panel.findAllByRole('columnheader', { hidden: true })).map(({ textContent }) => textContent)[0]).toMatch(/^пн/i)
    expect(panel.getByRole('button', { name: 'Предыдущий месяц' })).toBeVisible()
    expect(panel.getByRole('button', { name: 'Сегодня, вторник, 24 ноября 2026 г.' })).toBeEnabled()
    expect(panel.getByRole('button', { name: /понедельник, 23 ноября/ })).toBeDisabled()
    await userEvent.click(panel.getByRole('button', { name: /среда, 25 ноября/ }))
    expect(changed).toHaveBeenLastCalledWith('2026-11-25')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(input()).toHaveValue('25 нояб. 2026')
  })

  it('closes by a press elsewhere, which keeps the focus; by Escape, its button gets it back', async () => {
    render(<Field />)
    const panel = await opened()
    await panel.findByRole('button', { name: 'Clear' })
    const after = screen.getByRole('button', { name: 'After', hidden: true })
    await userEvent.click(after)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(after).toHaveFocus())
    await opened()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.getByRole('button', { name: /Calendar/ })).toHaveFocus())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('opens by the arrow down, and its calendar clears it', async () => {
    render(<Field start="2026-11-25" />)
    await userEvent.click(input())
    await userEvent.keyboard('{ArrowDown}')
    const panel = within(await screen.findByRole('dialog', { name: 'Start' }))
    await waitFor(() => expect(panel.getByRole('button', { name: /November 25, 2026/ })).toHaveFocus())
    await userEvent.click(await panel.findByRole('button', { name: 'Clear' }))
    expect(changed).toHaveBeenLastCalledWith('')
  })
})
