import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { BarChart } from './bar-chart.tsx'
import { chartColour, formatTick, type Series } from './series.ts'
import { Sparkline } from './sparkline.tsx'
import { TimeChart } from './time-chart.tsx'

const POINTS = ['Mar 01, 2026', 'Mar 02, 2026', 'Mar 03, 2026'].map((label) => ({ key: label, label, tick: label.slice(0, 6) }))
const clicks: Series = {
  id: 'clicks',
  label: 'Clicks',
  values: [1000, 2000, 3000],
  format: (value) => value.toLocaleString('en'),
  unit: 'count',
  whole: true,
  colour: 0,
}
const spend: Series = {
  id: 'spend',
  label: 'Spend',
  values: [0, 1, 2],
  format: (value) => `$${value}`,
  unit: 'money',
  sign: (number) => `$${number}`,
  colour: 1,
}
const before: Series = { ...clicks, id: 'before', label: 'Clicks, previous period', values: [500, null, 700], dashed: true }
const chart = (title: string, series: readonly Series[], points = POINTS) =>
  render(<TimeChart title={title} pointLabel="Day" points={points} series={series} />)
const ticks = () => [...document.querySelectorAll('svg text')].map(({ textContent }) => textContent)
const tooltip = () => document.querySelector('[data-slot=chart-tooltip]')

describe('a chart over time', () => {
  it('gives all figures as a table to screen readers', () => {
    chart('Figures by day', [clicks, spend])
    const table = screen.getByRole('table', { name: 'Figures by day' })
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['DayClicksSpend', 'Mar 01, 20261,000$0', 'Mar 02, 20262,000$1', 'Mar 03, 20263,000$2'])
  })

  it('chooses a day by the arrow keys and reads its values out', async () => {
    chart('Figures', [clicks, spend])
    const slider = screen.getByRole('slider', { name: 'Figures' })
    expect(tooltip()).toBeNull()
    slider.focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(slider).toHaveAttribute('aria-valuetext', 'Mar 02, 2026: Clicks 2,000, Spend $1')
    expect(tooltip()).toHaveTextContent('Mar 02, 2026Clicks2,000Spend$1')
    await userEvent.keyboard('{Home}{ArrowLeft}')
    expect(slider).toHaveAttribute('aria-valuenow', '0')
    await userEvent.keyboard('{End}{ArrowRight}')
    expect(slider).toHaveAttribute('aria-valuenow', '2')
    await userEvent.tab()
    expect(tooltip()).toBeNull()
  })

  it('chooses the day under the pointer', () => {
    chart('Figures', [clicks])
    const slider = screen.getByRole('slider')
    fireEvent.pointerMove(slider, { clientX: 52 })
    expect(tooltip()).toHaveTextContent('Mar 01, 2026')
    fireEvent.pointerMove(slider, { clientX: 640 })
    expect(tooltip()).toHaveTextContent('Mar 03, 2026')
    fireEvent.pointerLeave(slider)
    expect(tooltip()).toBeNull()
  })

  it('draws a line for each series in the colours of the theme, and names them', () => {
    const { container } = chart('Figures', [clicks, before, spend])
    const lines = new Map(
      [...container.querySelectorAll('[data-series]')].map((line) => [
        line.getAttribute('data-series'),
        line.querySelector('path'),
      ]),
    )
    expect(lines.get('clicks')?.getAttribute('stroke')).toBe('var(--chart-1)')
    expect(lines.get('spend')?.getAttribute('stroke')).toBe('var(--chart-2)')
    expect(lines.get('clicks')?.getAttribute('stroke-dasharray')).toBeNull()
    expect(lines.get('before')?.getAttribute('stroke-dasharray')).toBe('4 4')
    expect(container.querySelector('figcaption')).toHaveTextContent('ClicksClicks, previous periodSpend')
  })

  it('a chart over time has a line with a gap and a dash in the table where a series has no value', () => {
    const { container } = chart('Figures', [clicks, before])
    const path = container.querySelector('[data-series=before] path')?.getAttribute('d') ?? ''
    expect(path.match(/M/g)).toHaveLength(2)
    const row = within(screen.getByRole('table')).getByRole('row', { name: /^Mar 02/ })
    expect(row).toHaveTextContent('Mar 02, 20262,000–')
  })

  it('gives each unit an axis of its own, with as many steps on both', () => {
    chart('Figures', [clicks, spend])
    expect(ticks().slice(0, 10)).toEqual(['0', '1K', '2K', '3K', '4K', '$0', '$0.5', '$1', '$1.5', '$2'])
  })

  it('shares the axis among series of one unit', () => {
    chart('Figures', [clicks, before])
    expect(ticks().slice(0, 5)).toEqual(['0', '1K', '2K', '3K', '4K'])
    expect(ticks()).not.toContain('700')
  })

  it('a chart over time has no fractions of clicks on its axis', () => {
    chart('Figures', [{ ...clicks, values: [0, 1, 2] }])
    expect(ticks().slice(0, 5)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('draws one point as a dot', () => {
    const { container } = chart('Figures', [{ ...clicks, values: [1000] }], POINTS.slice(0, 1))
    expect(container.querySelectorAll('circle')).toHaveLength(1)
  })

  it('draws nothing without points', () => {
    const { container } = chart('Figures', [{ ...clicks, values: [] }], [])
    expect(container).toBeEmptyDOMElement()
  })
})

describe('a sparkline', () => {
  it('a sparkline is a picture with a label, from the first value to the last', () => {
    render(<Sparkline label="Clicks are rising" values={[0, 5, 10]} width={103} height={23} />)
    const path = screen.getByRole('img', { name: 'Clicks are rising' }).querySelector('path')?.getAttribute('d')
    expect(path).toBe('M1.5,21.5L51.5,11.5L101.5,1.5')
  })
})

describe('a bar chart', () => {
  it('writes label and value of each bar, the longest over the whole width', () => {
    const bars = [
      { id: 'a', label: 'Apple', value: 20 },
      { id: 'b', label: 'Banana', value: 5 },
    ]
    const { container } = render(<BarChart title="Fruits" bars={bars} format={(value) => `${value} kg`} />)
    const list = within(screen.getByRole('list', { name: 'Fruits' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Apple20 kg', 'Banana5 kg'])
    const widths = [...container.querySelectorAll<HTMLElement>('[data-slot=bar]')].map(({ style }) => style.width)
    expect(widths).toEqual(['100%', '25%'])
  })
})

describe('the values of a chart', () => {
  it.each([
    [0, 'en', '0'],
    [0.25, 'en', '0.25'],
    [1500, 'en', '1.5K'],
    [2_000_000, 'en', '2M'],
    [1200, 'en', '1.2K'],
    [3_400_000, 'en', '3.4M'],
    [5_600_000_000, 'en', '5.6B'], // covers CONST-58
  ])('writes the tick %d in %s as %s', (value, language, text) => {
    expect(formatTick(value, language)).toBe(text)
  })

  it('starts over with the first colour after the last', () => {
    expect(chartColour(5)).toBe(chartColour(0))
  })
})
