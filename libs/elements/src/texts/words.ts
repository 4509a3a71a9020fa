/** The words that are built in; `{n}` and `{m}` are numbers. */
export interface Words {
  /** Of the cross. */
  readonly close: string;
  /** Where a tour is: `2 of 5`. */
  readonly step: string;
  /** How far a checklist is: `2 of 5 done`. */
  readonly progress: string;
  readonly done: string;
  readonly skipped: string;
  /** Names of blocks that have no title. */
  readonly modal: string;
  readonly card: string;
  readonly checklist: string;
  readonly tour: string;
  readonly hint: string;
}

const NAMES = [
  ...(['close', 'step', 'progress', 'done', 'skipped'] as const),
  ...(['modal', 'card', 'checklist', 'tour', 'hint'] as const),
];

/** In the order of the names. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'Close|{n} of {m}|{n} of {m} done|Done|Skipped|Message|Note|Checklist|Tour|Hint',
  de: 'Schließen|{n} von {m}|{n} von {m} erledigt|Erledigt|Übersprungen|Mitteilung|Hinweis|Checkliste|Rundgang|Tipp',
  fr: 'Fermer|{n} sur {m}|{n} sur {m} terminés|Terminé|Ignoré|Message|Note|Liste de contrôle|Visite guidée|Astuce',
  es: 'Cerrar|{n} de {m}|{n} de {m} completados|Completado|Omitido|Mensaje|Nota|Lista de tareas|Recorrido|Consejo',
  pt: 'Fechar|{n} de {m}|{n} de {m} concluídos|Concluído|Ignorado|Mensagem|Nota|Lista de tarefas|Tour|Dica',
  ja: '閉じる|{n} / {m}|{m} 件中 {n} 件完了|完了|スキップ済み|お知らせ|メモ|チェックリスト|ツアー|ヒント',
};

/** The words of a language, such as `pt-BR`; those of English where there are none. */
export function wordsOf(language: string | undefined, own: Partial<Words> = {}): Words {
  const tag = language?.toLowerCase().split('-')[0] ?? '';
  const words = (Object.hasOwn(WORDS, tag) ? WORDS[tag]! : WORDS['en']!).split('|');
  return {
    ...(Object.fromEntries(NAMES.map((name, index) => [name, words[index]])) as unknown as Words),
    ...own,
  };
}

export const count = (words: string, n: number, m: number): string =>
  words.replace('{n}', `${n}`).replace('{m}', `${m}`);
