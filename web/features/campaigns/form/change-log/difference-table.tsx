import { useTranslation } from 'react-i18next'
import { statusName } from '../../../../domain/campaign-status.ts'
import { cn } from '../../../../lib/cn.ts'
import { holdsErased, pathLabel, valueText } from './log-labels.ts'

type Change = { readonly path: string; readonly from?: unknown; readonly to?: unknown }

/** Every changed path with what it was and what it is. */
export function DifferenceTable({ changes }: { readonly changes: readonly Change[] }) {
  const { t } = useTranslation('log')
  return (
    <table className="text-table w-full table-fixed border-collapse">
      <thead className="text-ink-soft text-meta border-hairline border-b text-left [&_th]:h-9 [&_th]:pr-4 [&_th]:font-medium">
        <tr>
          <th scope="col" className="w-[30%]">
            {t('field')}
          </th>
          <th scope="col">{t('previous')}</th>
          <th scope="col">{t('current')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, from, to }) => (
          <tr key={path} data-testid={`log-change-${path}`} className="border-hairline border-b align-top last:border-0">
            <th scope="row" className="py-2.5 pr-4 text-left font-normal">
              <span className="block font-medium">{pathLabel(path)}</span>
              <code className="text-ink-soft text-meta font-mono break-all">{path}</code>
            </th>
            <Value path={path} value={from} tone="bg-bad-tint" testId="previous" />
            <Value path={path} value={to} tone="bg-good-tint" testId="current" />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ValueProps = { readonly path: string; readonly value: unknown; readonly tone: string; readonly testId: string }

function Value({ path, value, tone, testId }: ValueProps) {
  const { t } = useTranslation(['log', 'status'])
  const text = valueText(value)
  // The stored value stays in sight; a status key or the mark of something erased says little to people: what it means stands beside.
  const meaning =
    path === 'status_key' && typeof value === 'number'
      ? t(`status:label.${statusName(value)}`)
      : holdsErased(value)
        ? t('log:erased')
        : null
  return (
    <td data-testid={testId} className="py-2 pr-4">
      {text === null ? (
        <span className="text-ink-soft inline-block px-2 py-1">{t('log:nothing')}</span>
      ) : (
        <span
          className={cn('rounded-control inline-block max-w-full px-2 py-1 break-words whitespace-pre-wrap tabular-nums', tone)}
        >
          {text}
        </span>
      )}
      {meaning !== null && <span className="text-ink-soft text-meta ml-2">{meaning}</span>}
    </td>
  )
}
