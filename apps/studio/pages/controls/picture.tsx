import { useEffect, useRef } from 'preact/hooks';

interface PictureProps {
  /** As the server has drawn it. */
  svg: string;
  label: string;
  /** The block that is chosen. */
  chosen?: string | undefined;
  onChoose?: ((block: string | undefined) => void) | undefined;
}

const ENDS = ['start', 'finish'];

/**
 * The picture of a flow. It is read as XML, in which nothing runs, and put into the page as elements. Blocks can be chosen
 * with pointer and keyboard.
 */
export function Picture({ svg, label, chosen, onChoose }: PictureProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const drawn = document.importNode(root, true);
    drawn.setAttribute('role', 'group');
    drawn.setAttribute('aria-label', label);
    for (const block of onChoose ? blocksOf(drawn) : []) {
      block.setAttribute('tabindex', '0');
      block.setAttribute('role', 'button');
      block.setAttribute('aria-label', block.querySelector('title')?.textContent ?? '');
    }
    ref.current!.replaceChildren(drawn);
  }, [svg, label, onChoose !== undefined]);
  useEffect(() => {
    for (const block of blocksOf(ref.current!)) {
      const isChosen = block.dataset['block'] === chosen;
      block.classList.toggle('chosen', isChosen);
      if (onChoose) block.setAttribute('aria-pressed', String(isChosen));
    }
  }, [svg, chosen]);
  const choose = (event: Event): void => {
    const block = (event.target as Element).closest<SVGElement>('[data-block]')?.dataset['block'];
    onChoose?.(block === undefined || ENDS.includes(block) ? undefined : block);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose(event);
  };
  return <div class="picture" ref={ref} onClick={choose} onKeyDown={press} />;
}

function blocksOf(root: Element): SVGElement[] {
  return [...root.querySelectorAll<SVGElement>('[data-block]')].filter(({ dataset }) => !ENDS.includes(dataset['block']!));
}
