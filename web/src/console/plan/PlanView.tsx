import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { counted, duration } from '../ui/figures.ts';
import { type Measured, type PlanNode, parsePlan } from './tree.ts';

/** The plan of a statement as a tree of operators: rows flow from the bottom to the top. */
export function PlanView({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  const roots = useMemo(() => parsePlan(lines), [lines]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled plan must be reachable by keyboard.
    <section class="plan" tabIndex={0} aria-label="Plan">
      <ul>
        {roots.map((node, index) => (
          <PlanOperator key={index} node={node} />
        ))}
      </ul>
    </section>
  );
}

function PlanOperator({ node }: { readonly node: PlanNode }): JSX.Element {
  return (
    <li>
      <div class="plan-node">
        <span class="plan-name">{node.name}</span>
        {node.detail !== '' && <span class="plan-detail">{node.detail}</span>}
        {node.measured !== undefined && <WhatItDid measured={node.measured} />}
        {node.properties.length > 0 && (
          <dl class="plan-properties">
            {node.properties.map((property, index) => (
              <Property key={index} text={property} />
            ))}
          </dl>
        )}
      </div>
      {node.inputs.length > 0 && (
        <ul>
          {node.inputs.map((input, index) => (
            <PlanOperator key={index} node={input} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The longest bar is where the time went. */
function WhatItDid({ measured: { rows, ms, share } }: { readonly measured: Measured }): JSX.Element {
  return (
    <div class="plan-measured figures">
      <span>{counted(rows, 'row')}</span>
      <span class="plan-share" aria-hidden="true">
        <span style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
      <span title="Excluding child steps">{duration(ms)}</span>
      <span class="muted">{Math.round(share * 100)} %</span>
    </div>
  );
}

/** `columns: [id name]` as a pair; anything else is a value without a name. */
function Property({ text }: { readonly text: string }): JSX.Element {
  const match = /^([a-z][a-z ]*): (.*)$/s.exec(text);
  return (
    <div>
      {match !== null && <dt>{match[1]}</dt>}
      <dd>{match?.[2] ?? text}</dd>
    </div>
  );
}
