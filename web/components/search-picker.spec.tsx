import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { SearchPicker } from './search-picker.tsx'

const CITIES = ['Cairo', 'Giza', 'Luxor'].map((label) => ({ id: label.toLowerCase(), label }))

function Picker({ onSubmit = () => {} }: { readonly onSubmit?: () => void }) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['giza']))
  return (
    <form action={onSubmit}>
      <SearchPicker
        label="Cities"
        placeholder="Search"
        query={query}
        onQuery={setQuery}
        options={CITIES.filter(({ label }) => label.toLowerCase().includes(query))}
        chosen={chosen}
        onPick={(id) => setChosen(toggled(chosen, id))}
        nothing="No such city"
      />
      <button type="button">Next</button>
    </form>
  )
}
const toggled = (chosen: ReadonlySet<string>, id: string) =>
  new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id])

const box = () => screen.getByRole('combobox', { name: 'Cities' })
const shown = () => screen.queryAllByRole('option').map((option) => option.textContent)
const chosen = () => screen.queryAllByRole('option', { selected: true }).map((option) => option.textContent)
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent

describe('a search box over a list', () => {
  it('is walked through and chosen from by keyboard, and keeps the focus', async () => {
    const submit = vi.fn()
    render(<Picker onSubmit={submit} />)
    await userEvent.tab()
    expect(box()).toHaveAttribute('aria-expanded', 'false')
    await userEvent.keyboard('{ArrowDown}')
    expect(box()).toHaveAttribute('aria-expanded', 'true')
    expect(active()).toBe('Cairo')
    await userEvent.keyboard('{Enter}{ArrowDown}{Enter}{ArrowDown}{ArrowDown}')
    expect(active()).toBe('Luxor')
    expect(chosen()).toEqual(['Cairo'])
    expect(box()).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    expect(box()).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(submit).not.toHaveBeenCalled()
  })

  it('goes to the end with the arrow up, and begins anew with what is typed', async () => {
    render(<Picker />)
    await userEvent.tab()
    await userEvent.keyboard('{ArrowUp}')
    expect(active()).toBe('Luxor')
    await userEvent.keyboard('i')
    expect(shown()).toEqual(['Cairo', 'Giza'])
    expect(active()).toBe('Cairo')
    await userEvent.keyboard('zz')
    expect(screen.getByRole('status')).toHaveTextContent('No such city')
    expect(box()).not.toHaveAttribute('aria-activedescendant')
  })

  it('is chosen from with the pointer, and closes when it is left', async () => {
    render(<Picker />)
    await userEvent.click(box())
    await userEvent.click(screen.getByRole('option', { name: 'Luxor' }))
    await userEvent.click(screen.getByRole('option', { name: 'Giza' }))
    expect(chosen()).toEqual(['Luxor'])
    expect(box()).toHaveFocus()
    await userEvent.tab()
    expect(box()).toHaveAttribute('aria-expanded', 'false')
  })

  it('opens upwards where the page ends', async () => {
    render(<Picker />)
    vi.spyOn(box(), 'getBoundingClientRect').mockReturnValue(new DOMRect(0, window.innerHeight - 80, 300, 36))
    await userEvent.click(box())
    expect(screen.getByRole('listbox').parentElement).toHaveClass('bottom-full')
  })
})
