"""Groups of options that several commands take, so that no command repeats them.

A command names a group as a parameter (such as ``target`` or ``writing``); the command line shows
the group's options in its place, and the command gets what the group makes of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

import typer

from sqldiag.asking import SearchOptions, SetOptions
from sqldiag.cli import options as o
from sqldiag.cli.run import Target, Writing
from sqldiag.limits import Limits
from sqldiag.names import split_list
from sqldiag.report import Format


def _target(
    source: o.Source = None,
    table: o.TableName = None,
    query: o.Query = None,
    where: o.Where = None,
    timeout: o.Timeout = None,
    lock_timeout: o.LockTimeout = None,
    work_mem: o.WorkMem = None,
    memory_limit: o.MemoryLimit = None,
    threads: o.Threads = None,
) -> Target:
    limits = Limits(
        timeout=timeout,
        lock_timeout=lock_timeout,
        work_mem=work_mem,
        memory_limit=memory_limit,
        threads=threads,
    )
    return Target(source=source, table=table, query=query, where=where, limits=limits)


def _asked(
    qi: o.Qi,
    require: o.Require = None,
    suppress: o.Suppress = None,
    sensitive: o.Sensitive = None,
    entity: o.Entity = None,
    identifier: o.Identifier = None,
    strict_sensitive: o.StrictSensitive = False,
    examples: o.Examples = None,
) -> SetOptions:
    return SetOptions(
        qi=split_list(qi, option="--qi"),
        require=require or (),
        suppress=suppress,
        sensitive=split_list(sensitive or (), option="--sensitive"),
        entity=entity,
        identifiers=split_list(identifier or (), option="--identifier"),
        strict_sensitive=strict_sensitive,
        examples=examples,
    )


def _searched(
    require: o.Require = None,
    among: o.Among = None,
    exclude: o.Exclude = None,
    suppress: o.Suppress = None,
    sensitive: o.Sensitive = None,
    entity: o.Entity = None,
    identifier: o.Identifier = None,
    strict_sensitive: o.StrictSensitive = False,
    max_size: o.MaxSize = None,
    max_sets: o.MaxSets = None,
    max_seconds: o.MaxSeconds = None,
) -> SearchOptions:
    return SearchOptions(
        require=require or (),
        among=split_list(among or (), option="--among"),
        exclude=split_list(exclude or (), option="--exclude"),
        suppress=suppress,
        sensitive=split_list(sensitive or (), option="--sensitive"),
        entity=entity,
        identifiers=split_list(identifier or (), option="--identifier"),
        strict_sensitive=strict_sensitive,
        max_size=max_size,
        max_sets=max_sets,
        max_seconds=max_seconds,
    )


def _writing(
    form: o.Form = Format.TEXT,
    output: o.Output = None,
    explain: o.Explain = False,
    verbose: o.Verbose = False,
    quiet: o.Quiet = False,
) -> Writing:
    writing = Writing(form=form, output=output, explain=explain, verbose=verbose, quiet=quiet)
    writing.check()
    return writing


def _paging(
    output: o.Output = None,
    explain: o.Explain = False,
    verbose: o.Verbose = False,
    quiet: o.Quiet = False,
) -> Writing:
    """As above, of what has one form only."""
    return _writing(output=output, explain=explain, verbose=verbose, quiet=quiet)


_GROUPS: Mapping[str, Callable[..., object]] = {
    "target": _target,
    "asked": _asked,
    "searched": _searched,
    "writing": _writing,
    "paging": _paging,
}


def command(app: typer.Typer) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Register a command whose grouped parameters are spread out into options."""

    def register(function: Callable[..., int]) -> Callable[..., int]:
        own = inspect.signature(function, eval_str=True).parameters
        grouped = {
            name: inspect.signature(_GROUPS[name], eval_str=True).parameters
            for name in own
            if name in _GROUPS
        }
        spread = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, parameter in own.items()
            for parameter in (grouped[name].values() if name in grouped else [parameter])
        ]

        def gathered(**values: object) -> int:
            arguments: dict[str, object] = {}
            for name in own:
                if name in grouped:
                    mine = {option: values[option] for option in grouped[name]}
                    arguments[name] = _GROUPS[name](**mine)
                else:
                    arguments[name] = values[name]
            return function(**arguments)

        gathered.__signature__ = inspect.Signature(spread)  # type: ignore[attr-defined]
        gathered.__doc__ = function.__doc__
        app.command(name=function.__name__)(gathered)
        return function

    return register
