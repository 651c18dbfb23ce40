import { useId } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Role } from '#domain/kit/access'
import { useFormKit, useKitError } from '@/components/form/form-kit'
import { FieldError } from '@/components/ui/field'
import { useRoleName } from './role-names.ts'

/** A choice of one role, each with what it may do. */
export function RoleField({ name, roles }: { readonly name: string; readonly roles: readonly Role[] }) {
  const { t } = useTranslation('team')
  const roleName = useRoleName()
  const id = useId()
  const { form } = useFormKit()
  const error = useKitError(name)
  const { ref, value, onChange, onBlur } = useController({ control: form.control, name }).field
  const known = roles.some((role) => role === value)
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="mb-1.5 text-[0.8125rem]/4.5 font-medium">{t('role.label')}</legend>
      <div className="border-input divide-border divide-y overflow-hidden rounded-md border">
        {roles.map((role, place) => (
          <div
            key={role}
            className="hover:bg-muted has-checked:bg-primary-tint has-focus-visible:outline-primary-ink relative flex items-start gap-2.5 px-3 py-2 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2"
          >
            <input
              type="radio"
              id={`${id}-${role}`}
              name={id}
              value={role}
              aria-describedby={`${id}-${role}-help`}
              // The chosen role receives the focus when an error leads here.
              {...(role === value || (!known && place === 0) ? { ref } : {})}
              checked={role === value}
              onChange={() => onChange(role)}
              onBlur={onBlur}
              className="accent-primary relative z-10 mt-0.5 size-4 shrink-0"
            />
            <div className="min-w-0">
              {/* The whole row chooses the role. */}
              <label htmlFor={`${id}-${role}`} className="block font-medium after:absolute after:inset-0 after:cursor-pointer">
                {roleName(role)}
              </label>
              <p id={`${id}-${role}-help`} className="text-muted-foreground text-xs text-pretty">
                {t(`role.${role}`)}
              </p>
            </div>
          </div>
        ))}
      </div>
      {error !== undefined && (
        <FieldError id={`${id}-error`} role="alert" className="mt-1.5">
          {error}
        </FieldError>
      )}
    </fieldset>
  )
}
