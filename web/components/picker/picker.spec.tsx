import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Dialog, DialogContent, DialogTitle } from '../ui/dialog.tsx'
import { DRAWN, Picker, type PickOption } from './picker.tsx'

const CITIES: readonly PickOption[] = ['Cairo', 'Giza', 'Luxor'].map((label) => ({ id: label.toLowerCase(), label }))

const toggled = (chosen: ReadonlySet<string>, id: string) =>
  new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id])

function Several({ options = CITIES, onSubmit = () => {} }: { options?: readonly PickOption[]; onSubmit?: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['giza']))
  return (
    <form action={onSubmit}>
      <Picker
        label="Cities"
        options={options}
        chosen={chosen}
        onPick={(id) => setChosen(toggled(chosen, id))}
        nothing="No such city"
      />
      <button type="button">Next</button>
    </form>
  )
}

function One() {
  const [chosen, setChosen] = useState('')
  const label = CITIES.find(({ id }) => id === chosen)?.label ?? ''
  return (
    <Picker
      label="Cities"
      options={CITIES}
      chosen={new Set([chosen])}
      chosenLabel={label}
      onPick={setChosen}
      nothing="No such city"
    />
  )
}

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Cities' })
const shown = () => screen.queryAllByRole('option').map((option) => option.textContent)
const chosen = () => screen.queryAllByRole('option', { checked: true }).map((option) => option.textContent)
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent
const expanded = () => box().getAttribute('aria-expanded') === 'true'

describe('a picker of several options', () => {
  it('moves through the list and chooses by keyboard, and keeps the focus in the box', async () => {
    const submit = vi.fn()
    render(<Several onSubmit={submit} />)
    await userEvent.tab()
    expect(expanded()).toBe(false)
    await userEvent.keyboard('{ArrowDown}')
    expect(expanded()).toBe(true)
    expect(active()).toBe('Cairo')
    await userEvent.keyboard('{Enter}{ArrowDown}{Enter}{ArrowDown}{ArrowDown}')
    expect(active()).toBe('Luxor')
    expect(chosen()).toEqual(['Cairo'])
    expect(box()).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    expect(expanded()).toBe(false)
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(box()).not.toHaveAttribute('aria-activedescendant')
    await userEvent.keyboard('{Enter}')
    expect(submit).not.toHaveBeenCalled()
  })

  it('opens at the last option with arrow up, and returns to the first when typing', async () => {
    render(<Several />)
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

  it('chooses with the pointer, and closes when the focus leaves', async () => {
    render(<Several />)
    await userEvent.click(box())
    await userEvent.click(screen.getByRole('option', { name: 'Luxor' }))
    await userEvent.click(screen.getByRole('option', { name: 'Giza' }))
    expect(chosen()).toEqual(['Luxor'])
    expect(box()).toHaveFocus()
    await userEvent.tab()
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus()
    expect(expanded()).toBe(false)
  })

  it('closes only the list with Escape inside a dialog', async () => {
    const close = vi.fn()
    render(
      <Dialog open onOpenChange={close}>
        <DialogContent>
          <DialogTitle>Where</DialogTitle>
          <Several />
        </DialogContent>
      </Dialog>,
    )
    await userEvent.click(box())
    expect(expanded()).toBe(true)
    await userEvent.keyboard('{Escape}')
    expect(expanded()).toBe(false)
    expect(close).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(close).toHaveBeenCalledWith(false)
  })

  it('opens above the box where the page ends', async () => {
    // The test environment computes no layout.
    vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(800)
    vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1000)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(300)
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Element) {
      return this === box().parentElement ? new DOMRect(0, 720, 300, 36) : new DOMRect(0, 0, 300, 300)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    render(<Several />)
    await userEvent.click(box())
    await waitFor(() => expect(document.querySelector('[data-slot=popover-content]')).toHaveAttribute('data-side', 'top'))
  })

  it('finds labels without their accents, and codes by their beginning', async () => {
    const options = [
      { id: 'a', label: 'Arts', note: 'IAB1', keyword: 'IAB1' },
      { id: 'b', label: 'Ḩulwān' },
      { id: 'c', label: 'Books', note: 'IAB1-1', keyword: 'IAB1-1', parent: 'Arts' },
    ]
    render(<Several options={options} />)
    await userEvent.type(box(), 'hul')
    expect(shown()).toEqual(['Ḩulwān'])
    await userEvent.clear(box())
    await userEvent.type(box(), 'iab1-')
    expect(shown()).toEqual(['BooksArts · IAB1-1'])
  })

  it('draws only the first options of a long list, and says how many more there are', async () => {
    const options = Array.from({ length: 5000 }, (_, index) => ({ id: `${index}`, label: `City ${index}` }))
    render(<Several options={options} />)
    await userEvent.click(box())
    expect(shown()).toHaveLength(DRAWN)
    expect(screen.getByRole('status')).toHaveTextContent('4,850 more: type to narrow the list')
    await userEvent.type(box(), '4999')
    expect(shown()).toEqual(['City 4999'])
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
  })
})

describe('a picker that the server searches', () => {
  it('reports what is typed, and shows the options as they come', async () => {
    const search = vi.fn()
    function Server() {
      const [query, setQuery] = useState('')
      return (
        <Picker
          label="Cities"
          options={CITIES}
          chosen={new Set()}
          onPick={() => {}}
          nothing="No such city"
          query={query}
          onQuery={(text) => {
            search(text)
            setQuery(text)
          }}
          busy={query !== ''}
        />
      )
    }
    render(<Server />)
    await userEvent.type(box(), 'gi')
    expect(search.mock.calls).toEqual([['g'], ['gi']])
    expect(shown()).toEqual(['Cairo', 'Giza', 'Luxor'])
  })
})

describe('a picker of one option', () => {
  it('shows the chosen option, and closes when another is chosen', async () => {
    render(<One />)
    await userEvent.tab()
    await userEvent.keyboard('gi{Enter}')
    expect(expanded()).toBe(false)
    expect(box()).toHaveValue('Giza')
    expect(box()).toHaveFocus()
    await userEvent.click(box())
    expect(box()).toHaveValue('')
    expect(chosen()).toEqual(['Giza'])
    expect(shown()).toEqual(['Cairo', 'Giza', 'Luxor'])
  })

  it('keeps the chosen option when the list is closed without another choice', async () => {
    render(<One />)
    await userEvent.type(box(), 'lux{Enter}')
    await userEvent.click(box())
    await userEvent.keyboard('cai{Escape}')
    await waitFor(() => expect(box()).toHaveValue('Luxor'))
  })

  it('begins a new search when typing goes on after a choice', async () => {
    render(<One />)
    await userEvent.type(box(), 'lux{Enter}')
    await userEvent.keyboard('gi')
    expect(box()).toHaveValue('gi')
    expect(shown()).toEqual(['Giza'])
  })
})
