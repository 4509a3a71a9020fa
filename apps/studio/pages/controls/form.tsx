import type { ComponentChildren } from 'preact';
import { Options } from './options.js';

/** A form that is sent by its button or by Enter, and never by the browser itself. */
export function Form({
  onSubmit,
  children,
  ...rest
}: {
  onSubmit: () => unknown;
  children: ComponentChildren;
  class?: string;
}) {
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form class={rest.class ?? 'stack'} onSubmit={submit}>
      {children}
    </form>
  );
}

interface TextInputProps {
  label: ComponentChildren;
  value: string;
  /** With every letter, or once the field is left. */
  onInput?: (text: string) => void;
  onChange?: (text: string) => void;
  placeholder?: string;
  hint?: string;
  maxLength?: number;
  required?: boolean;
  isCode?: boolean;
}

/** One line of text under its label. */
export function TextInput({
  label,
  onInput,
  onChange,
  hint,
  isCode = false,
  ...rest
}: TextInputProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        {...rest}
        class={isCode ? 'code-input' : undefined}
        spellcheck={!isCode}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
      {hint && <span class="faint small">{hint}</span>}
    </label>
  );
}

interface SelectProps<Value extends string> {
  label: string;
  value: string;
  of: Readonly<Record<Value, string>> | readonly Value[];
  /** What it is found by. */
  place?: string;
  onChange: (value: Value) => void;
}

/** One of some values, under its label. */
export function Select<Value extends string>({
  label,
  value,
  of,
  place,
  onChange,
}: SelectProps<Value>) {
  return (
    <label class="field" data-place={place}>
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        <Options of={of} />
      </select>
    </label>
  );
}

interface CheckProps {
  type?: 'radio' | 'checkbox';
  name?: string;
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ComponentChildren;
}

/** A box to tick, or one of several to choose from, before its words. */
export function Check({ type = 'checkbox', name, checked, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input
        type={type}
        name={name}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
