import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import type { Change } from './field-changes.ts'

/** The changes as stored: raw paths and values. */
export function StoredTable({ changes }: { readonly changes: readonly Change[] }) {
  const { t } = useTranslation('log')
  return (
    <table className="text-xs w-full table-fixed border-collapse font-mono">
      <thead className="text-muted-foreground border-border border-b text-left font-sans [&_th]:h-9 [&_th]:pr-4 [&_th]:font-medium">
        <tr>
          <th scope="col" className="w-[28%]">
            {t('path')}
          </th>
          <th scope="col">{t('previous')}</th>
          <th scope="col">{t('current')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, from, to }) => (
          <tr key={path} data-testid={`log-stored-${path}`} className="border-border border-b align-top last:border-0">
            <th scope="row" className="py-2 pr-4 text-left font-normal break-all">
              {path}
            </th>
            <Stored value={from} tint="bg-destructive-tint" testId="previous" />
            <Stored value={to} tint="bg-success-tint" testId="current" />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type StoredProps = { readonly value: unknown; readonly tint: string; readonly testId: string }

function Stored({ value, tint, testId }: StoredProps) {
  return (
    <td data-testid={testId} className="py-1 pr-4">
      <span className={cn('rounded-md inline-block max-w-full px-2 py-1 break-words whitespace-pre-wrap', tint)}>
        {JSON.stringify(value ?? null, null, 2)}
      </span>
    </td>
  )
}
